import { SCRIPTS } from "./scripts.ts";

/** A bundled font family: static TrueType files from an npm package, under the SIL Open Font License. */
export type Family = {
  name: string;
  /** Folder below `node_modules`. */
  package: string;
  /** CSS weights to bundle; absent means every weight and style of the package. */
  weights?: number[];
  /** The part of a family that a package splits by script: the one with this script. */
  subset?: string;
};

/**
 * Characters for which a face of the family has the glyph of another one, such as = for ≠, or one that cannot be recognised. The
 * family counts as lacking them.
 */
export const WRONG_GLYPHS: Record<string, string> = {
  Anton: "≠₵Ƙ",
  // Its italics draw ṣ as Ṣ, and its ∩ of weight 800 is a single stroke.
  Archivo: "ṣ∩",
  "Cormorant Garamond": "₵",
  "EB Garamond": "⁺⁻⁼⁽⁾₊₋₌ᾨᾩʽ",
  "Frank Ruhl Libre": "Ģ",
};

const NAME_IN_PACKAGES: Record<string, string> = { NanumMyeongjo: "nanum-myeongjo" };

function packageOf(name: string): string {
  return NAME_IN_PACKAGES[name] ?? name.toLowerCase().replaceAll(" ", "-");
}

function expo(name: string, weights?: number[]): Family {
  return { name, package: `@expo-google-fonts/${packageOf(name)}`, ...(weights && { weights }) };
}

/** Families that only Fontsource has. Its files hold one script each, which is all that a companion draws. */
const SPLIT_FAMILIES: Record<string, string> = {
  "Abyssinica SIL": "ethiopic",
  "Noto Nastaliq Urdu": "arabic",
  "Noto Sans Adlam": "adlam",
  "Noto Sans Balinese": "balinese",
  "Noto Sans Bamum": "bamum",
  "Noto Sans Buginese": "buginese",
  "Noto Sans Canadian Aboriginal": "canadian-aboriginal",
  "Noto Sans Cham": "cham",
  "Noto Sans Cherokee": "cherokee",
  "Noto Sans Coptic": "coptic",
  "Noto Sans Gothic": "gothic",
  "Noto Sans Hanifi Rohingya": "hanifi-rohingya",
  "Noto Sans Javanese": "javanese",
  "Noto Sans Kayah Li": "kayah-li",
  "Noto Sans Lepcha": "lepcha",
  "Noto Sans Limbu": "limbu",
  "Noto Sans Lisu": "lisu",
  "Noto Sans Meetei Mayek": "meetei-mayek",
  "Noto Sans Mongolian": "mongolian",
  "Noto Sans New Tai Lue": "new-tai-lue",
  "Noto Sans NKo": "nko",
  "Noto Sans Ol Chiki": "ol-chiki",
  "Noto Sans Oriya": "oriya",
  "Noto Sans Osage": "osage",
  "Noto Sans Runic": "runic",
  "Noto Sans Saurashtra": "saurashtra",
  "Noto Sans Sundanese": "sundanese",
  "Noto Sans Syriac": "syriac",
  "Noto Sans Tai Le": "tai-le",
  "Noto Sans Tai Tham": "tai-tham",
  "Noto Sans Thaana": "thaana",
  "Noto Sans Tifinagh": "tifinagh",
  "Noto Sans Vai": "vai",
  "Noto Sans Yi": "yi",
  "Noto Serif Armenian": "armenian",
  "Noto Serif Bengali": "bengali",
  "Noto Serif Devanagari": "devanagari",
  "Noto Serif Georgian": "georgian",
  "Noto Serif Gujarati": "gujarati",
  "Noto Serif Khmer": "khmer",
  "Noto Serif Lao": "lao",
  "Noto Serif Malayalam": "malayalam",
  "Noto Serif Myanmar": "myanmar",
  "Noto Serif Sinhala": "sinhala",
  "Noto Serif Tamil": "tamil",
  "Noto Serif Telugu": "telugu",
  "Noto Serif Thai": "thai",
  "Noto Serif Tibetan": "tibetan",
  "Tiro Gurmukhi": "gurmukhi",
};

const TEXT_WEIGHTS = [400, 500, 600, 700, 800];

const SANS_SCRIPT_WEIGHTS = [400, 500, 600, 700, 900];

const SERIF_SCRIPT_WEIGHTS = [400, 500, 600, 700];

/**
 * Han, Hangul and kana have two weights, of 6 to 15 MB each. Chinese with serifs has one between them: a function on
 * Vercel has 512 MB for the unpacked fonts, Chromium and its files.
 */
const HAN_WEIGHTS = [400, 700];
const SONG_WEIGHTS = [500];

function scriptFamily(name: string): Family {
  const weights = name.startsWith("Noto Sans ") ? SANS_SCRIPT_WEIGHTS : SERIF_SCRIPT_WEIGHTS;
  if (/ Serif (?:SC|TC)$/.test(name)) return expo(name, SONG_WEIGHTS);
  if (/ (?:JP|KR|SC|TC)$/.test(name)) return expo(name, HAN_WEIGHTS);
  const subset = SPLIT_FAMILIES[name];
  if (subset === undefined) return expo(name, weights);
  return { name, package: `@fontsource/${packageOf(name)}`, weights, subset };
}

/** Latin, Greek and Cyrillic: the families of the generic CSS families. */
const TEXT_FAMILIES: Family[] = [
  expo("Noto Sans", TEXT_WEIGHTS),
  expo("Noto Serif", TEXT_WEIGHTS),
  expo("JetBrains Mono", TEXT_WEIGHTS),
];

const SCRIPT_FAMILY_NAMES = new Set(SCRIPTS.flatMap(({ sans, serif }) => [sans, serif]));

/** The families of the other scripts, each once. */
const SCRIPT_FAMILIES: Family[] = [...SCRIPT_FAMILY_NAMES, "Noto Nastaliq Urdu"]
  .filter((name) => !TEXT_FAMILIES.some((family) => family.name === name))
  .map(scriptFamily);

/** Symbols and emoji, in the order of fallback. */
export const SYMBOL_FAMILIES: Family[] = [
  expo("Noto Sans Symbols", [400, 700]),
  expo("Noto Sans Symbols 2"),
  expo("Noto Sans Math"),
  expo("Noto Color Emoji"),
];

/** Display families for templates to name. */
export const DISPLAY_FAMILIES: Family[] = [
  expo("Inter", [...TEXT_WEIGHTS, 900]),
  expo("Space Grotesk"),
  expo("Bricolage Grotesque"),
  expo("Archivo", [...TEXT_WEIGHTS, 900]),
  expo("Anton"),
  expo("Fraunces"),
  expo("Instrument Serif"),
  expo("Cormorant Garamond"),
  expo("Pinyon Script"),
];

/** Families that stand in for display families where those lack Greek, Cyrillic or accents. */
const STAND_IN_FAMILIES: Family[] = [
  expo("EB Garamond", [400, 500, 600, 700]),
  expo("Source Serif 4", [300, 400, 600, 700, 900]),
  expo("Sofia Sans Extra Condensed", [800, 900]),
  expo("Great Vibes"),
];

/** Every bundled family. No other font is used, except those that a template brings. */
export const FAMILIES: Family[] = [
  ...TEXT_FAMILIES,
  ...SCRIPT_FAMILIES,
  ...SYMBOL_FAMILIES,
  ...DISPLAY_FAMILIES,
  ...STAND_IN_FAMILIES,
];
