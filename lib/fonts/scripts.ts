export type Script = {
  /** The English name. */
  name: string;
  /** Scripts of Unicode whose characters it is written in. */
  unicode: string[];
  /** A BCP 47 tag, which decides the form of Han characters. */
  language: string;
  /** The bundled families that draw it beside a sans-serif and beside a serif design. */
  sans: string;
  serif: string;
  /** "Good morning", or text that shows the difficulties of the script. */
  sample: string;
};

const HAN = "Han";

const BOTH_LATIN = "Noto Sans, Noto Serif";

/** Name, language, families, sample, and the names of Unicode where they differ. */
const ROWS: [name: string, language: string, families: string, sample: string, unicode?: string[]][] = [
  ["Latin", "pl", BOTH_LATIN, "Zażółć gęślą jaźń"],
  ["Greek", "el", BOTH_LATIN, "Καλημέρα κόσμε"],
  ["Cyrillic", "uk", BOTH_LATIN, "Доброго ранку"],
  ["Arabic", "ar", "Noto Sans Arabic, Noto Naskh Arabic", "صباح الخير"],
  ["Hebrew", "he", "Noto Sans Hebrew, Frank Ruhl Libre", "בוקר טוב"],
  ["Devanagari", "hi", "Noto Sans Devanagari, Noto Serif Devanagari", "सुप्रभात दुनिया"],
  ["Bengali", "bn", "Noto Sans Bengali, Noto Serif Bengali", "সুপ্রভাত"],
  ["Gurmukhi", "pa", "Noto Sans Gurmukhi, Tiro Gurmukhi", "ਸ਼ੁਭ ਸਵੇਰ"],
  ["Gujarati", "gu", "Noto Sans Gujarati, Noto Serif Gujarati", "સુપ્રભાત"],
  ["Odia", "or", "Noto Sans Oriya", "ଶୁଭ ସକାଳ", ["Oriya"]],
  ["Tamil", "ta", "Noto Sans Tamil, Noto Serif Tamil", "காலை வணக்கம்"],
  ["Telugu", "te", "Noto Sans Telugu, Noto Serif Telugu", "శుభోదయం"],
  ["Kannada", "kn", "Noto Sans Kannada", "ಶುಭೋದಯ"],
  ["Malayalam", "ml", "Noto Sans Malayalam, Noto Serif Malayalam", "സുപ്രഭാതം"],
  ["Sinhala", "si", "Noto Sans Sinhala, Noto Serif Sinhala", "සුබ උදෑසනක්"],
  ["Thai", "th", "Noto Sans Thai, Noto Serif Thai", "สวัสดีตอนเช้า"],
  ["Lao", "lo", "Noto Sans Lao, Noto Serif Lao", "ສະບາຍດີຕອນເຊົ້າ"],
  ["Myanmar", "my", "Noto Sans Myanmar, Noto Serif Myanmar", "မင်္ဂလာပါ"],
  ["Khmer", "km", "Noto Sans Khmer, Noto Serif Khmer", "អរុណសួស្តី"],
  ["Tibetan", "bo", "Noto Serif Tibetan", "བཀྲ་ཤིས་བདེ་ལེགས།"],
  ["Georgian", "ka", "Noto Sans Georgian, Noto Serif Georgian", "დილა მშვიდობისა"],
  ["Armenian", "hy", "Noto Sans Armenian, Noto Serif Armenian", "Բարի լույս"],
  ["Ethiopic", "am", "Noto Sans Ethiopic, Abyssinica SIL", "እንደምን አደርክ"],
  ["Chinese, simplified", "zh-Hans", "Noto Sans SC, Noto Serif SC", "早上好，直骨", [HAN]],
  ["Chinese, traditional", "zh-Hant", "Noto Sans TC, Noto Serif TC", "早安，直骨", ["Bopomofo", HAN]],
  ["Japanese", "ja", "Noto Sans JP, Noto Serif JP", "おはよう、直骨", ["Hiragana", "Katakana", HAN]],
  ["Korean", "ko", "Noto Sans KR, NanumMyeongjo", "좋은 아침입니다", ["Hangul", HAN]],
  ["Mongolian", "mn-Mong", "Noto Sans Mongolian", "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ"],
  ["Thaana", "dv", "Noto Sans Thaana", "ބާއްޖަވެރި ހެނދުނެއް"],
  ["Syriac", "syr", "Noto Sans Syriac", "ܨܦܪܐ ܛܒܐ"],
  ["Cherokee", "chr", "Noto Sans Cherokee", "ᎣᏏᏲ ᏑᎾᎴᎢ"],
  ["Inuktitut", "iu", "Noto Sans Canadian Aboriginal", "ᐅᓪᓛᒃᑯᑦ", ["Canadian_Aboriginal"]],
  ["Tifinagh", "zgh", "Noto Sans Tifinagh", "ⴰⵣⵓⵍ ⵜⵉⴼⴰⵡⵉⵏ"],
  ["N’Ko", "nqo", "Noto Sans NKo", "ߌ ߣߌ߫ ߛߐ߲߬ߜߐ߬ߡߊ߬", ["Nko"]],
  ["Adlam", "ff-Adlm", "Noto Sans Adlam", "𞤔𞤢𞤥 𞤱𞤢𞤤𞤭"],
  ["Javanese", "jv-Java", "Noto Sans Javanese", "ꦱꦸꦒꦼꦁꦲꦺꦚ꧀ꦗꦁ"],
  ["Balinese", "ban-Bali", "Noto Sans Balinese", "ᬭᬳᬚᭂ႗ᬲᭂᬫᭂᬂ"],
  ["Sundanese", "su-Sund", "Noto Sans Sundanese", "ᮝᮤᮜᮥᮏᮨᮀ ᮈᮔ᮪ᮏᮤᮀ"],
  ["Buginese", "bug", "Noto Sans Buginese", "ᨒᨚᨈᨑ ᨅᨔ ᨕᨘᨁᨗ"],
  ["Cham", "cjm-Cham", "Noto Sans Cham", "ꨀꨇꩉ ꨌꩌ"],
  ["Tai Le", "tdd", "Noto Sans Tai Le", "ᥖᥭᥰ ᥖᥬᥲ ᥑᥨᥒᥰ", ["Tai_Le"]],
  ["New Tai Lue", "khb", "Noto Sans New Tai Lue", "ᦅᧄᦱᦺᦑᦟᦹᧉ", ["New_Tai_Lue"]],
  ["Tai Tham", "nod", "Noto Sans Tai Tham", "ᨣᩤᩴᨾᩮᩬᩥᨦ", ["Tai_Tham"]],
  ["Lisu", "lis", "Noto Sans Lisu", "ꓡꓲ-ꓢꓴ ꓥꓳ"],
  ["Yi", "ii", "Noto Sans Yi", "ꆈꌠꁱꂷ"],
  ["Ol Chiki", "sat", "Noto Sans Ol Chiki", "ᱥᱮᱛᱟᱜ ᱡᱚᱦᱟᱨ", ["Ol_Chiki"]],
  ["Meetei Mayek", "mni-Mtei", "Noto Sans Meetei Mayek", "ꯅꯨꯡꯉꯥꯏꯕ ꯑꯌꯨꯛ", ["Meetei_Mayek"]],
  ["Lepcha", "lep", "Noto Sans Lepcha", "ᰛᰩᰵ ᰛᰧᰵᰶ"],
  ["Limbu", "lif", "Noto Sans Limbu", "ᤛᤣᤘᤠᤖᤥ"],
  ["Saurashtra", "saz", "Noto Sans Saurashtra", "ꢱꣃꢬꢵꢰ꣄ꢜ꣄ꢬ"],
  ["Kayah Li", "eky", "Noto Sans Kayah Li", "ꤊꤢꤛꤢꤟ ꤜꤤ", ["Kayah_Li"]],
  ["Hanifi Rohingya", "rhg", "Noto Sans Hanifi Rohingya", "𐴀𐴝𐴏𐴓𐴝𐴔𐴟 𐴀𐴝𐴓𐴝𐴙𐴟𐴑𐴟𐴔", ["Hanifi_Rohingya"]],
  ["Vai", "vai", "Noto Sans Vai", "ꕢꕌꕊ ꗳꕺ"],
  ["Bamum", "bax", "Noto Sans Bamum", "ꚠꛆꚧꛂ"],
  ["Osage", "osa", "Noto Sans Osage", "𐓏𐓘𐓻𐓘𐓻𐓟 𐒻𐓟"],
  ["Coptic", "cop", "Noto Sans Coptic", "ⲛⲁⲛⲉ ⲧⲟⲟⲩⲓ"],
  ["Gothic", "got", "Noto Sans Gothic", "𐌲𐍉𐌳𐍃 𐌼𐌰𐌿𐍂𐌲𐌹𐌽𐍃"],
  ["Runic", "non", "Noto Sans Runic", "ᚷᚢᚦᚨᚾ ᛗᚢᚱᚷᛁᚾ"],
];

/** Every script that the bundled fonts support. */
export const SCRIPTS: Script[] = ROWS.map(([name, language, families, sample, unicode = [name]]) => {
  const [sans = "", serif = sans] = families.split(", ");
  return { name, unicode, language, sans, serif, sample };
});

/** A few words or signs that show whether the fonts cover them. */
export type Sample = Pick<Script, "name" | "language" | "sample">;

/** Every script, and signs beyond letters, which look alike beside every design. */
export const SAMPLES: Sample[] = [
  ...SCRIPTS,
  { name: "Mathematics", language: "en", sample: "∀x ∈ ℝ: ∮ √x ≠ 𝒇" },
  { name: "Symbols", language: "en", sample: "→ ★ ♠ ☂ ✓ ♫ ⚑" },
  { name: "Emoji", language: "en", sample: "😀 👩‍🚀 🌍 🇺🇳 👍🏽" },
];
