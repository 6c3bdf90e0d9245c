import type { HanRegion } from "#lib/proof/oracle/face-faults.ts";

/** Natural texts of one language, from a word to a few sentences. A field gets the one nearest to the length of its own text. */
export type Sample = {
  name: string;
  /** The option of a field `language` that suits these texts, where a template offers it. */
  language: string;
  texts: string[];
  /** The region whose Han forms the texts want. */
  region?: HanRegion;
};

/** Languages and scripts in which a text is drawn. */
export const SAMPLES: Sample[] = [
  {
    name: "capitals",
    language: "en",
    texts: [
      "NOVA",
      "GRAND TOUR",
      "THE HARBOUR PRIZE",
      "OPEN HOUSE AT THE OLD QUAY MILL",
      "EVERYTHING WE MADE THIS YEAR, ON ONE LONG TABLE BY THE WATER",
      "WHOEVER KEEPS A GARDEN NEAR THE SEA LEARNS PATIENCE FIRST, THEN SALT, AND ONLY MUCH LATER, IF AT ALL, ANYTHING ABOUT ROSES.",
    ],
  },
  {
    name: "german",
    language: "de",
    texts: [
      "Straße",
      "Wärmepumpe",
      "Künstliche Intelligenz",
      "Straßenverkehrszulassungsordnung",
      "Donaudampfschifffahrtsgesellschaft erneuert Verträge",
      "Unsere Straßenverkehrszulassungsordnung ist lang, und die Grundstücksverkehrsgenehmigungszuständigkeit noch länger.",
    ],
  },
  {
    name: "vietnamese",
    language: "vi",
    texts: [
      "Ậm ừ",
      "Nguyễn Thị Ngọc",
      "Đường về quê mẹ",
      "Tiếng Việt có nhiều dấu chồng lên nhau",
      "Những ngày hè rực rỡ ở Huế, người bạn cũ kể chuyện đời mình",
      "Ngày xửa ngày xưa, ở một làng nọ có một người thợ cũ kỹ, mỗi buổi sớm ngồi đợi chuyến tàu đầu tiên về phố Huế.",
    ],
  },
  {
    name: "yoruba",
    language: "yo",
    texts: [
      "Ọ̀ṣun",
      "Ẹ̀kọ́ Yorùbá",
      "Ọjọ́ ìbí Adéwálé",
      "Ẹ káàbọ̀ sí ìlú Ọ̀yọ́ wa",
      "Ọ̀nà kan ò wọ ọjà; àwọn ènìyàn ń bọ̀ láti ibi gbogbo",
      "Ìwé tí a kà lónìí ni yóò jẹ́ ìmọ́lẹ̀ fún ọ̀la; ẹ má ṣe jẹ́ kí ọmọ yín gbàgbé èdè àwọn bàbá wọn.",
    ],
  },
  {
    name: "polish",
    language: "pl",
    texts: [
      "Żółć",
      "Łódź nocą",
      "Gęś i jaźń w Łodzi",
      "Zażółć gęślą jaźń o świcie",
      "Wieczór z poezją i muzyką w starym młynie nad Wisłą",
      "W Szczebrzeszynie chrząszcz brzmi w trzcinie, a ja z okna widzę, jak nad rzeką gaśnie i zapala się światło.",
    ],
  },
  {
    name: "greek",
    language: "el",
    texts: [
      "Νύχτα",
      "Ελλάδα μου",
      "Καλοκαιρινή βραδιά",
      "Η θάλασσα και το φεγγάρι τον Αύγουστο",
      "Μια βραδιά με μουσική δίπλα στη θάλασσα της Ύδρας",
      "Σαν βγεις στον πηγαιμό για την Ιθάκη, να εύχεσαι να είναι μακρύς ο δρόμος, γεμάτος περιπέτειες, γεμάτος γνώσεις.",
    ],
  },
  {
    name: "cyrillic",
    language: "ru",
    texts: [
      "Ночь",
      "Ночь музыки",
      "Ночной заплыв в июле",
      "Ночной заплыв в середине лета",
      "Концерт камерного оркестра под открытым небом у реки",
      "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему, но все они любят лето.",
    ],
  },
  {
    name: "arabic",
    language: "ar",
    texts: [
      "قمر",
      "ليلة القمر",
      "مؤتمر Platen 2026",
      "أمسية العود رقم 12 في عمّان",
      "افتتاح المعرض يوم 9 مارس 2026 (الدخول مجاني) في Hall B",
      "قال لي صاحبي: «لا تسأل عن الطريق»، ثم فتح Platen 4.2 ورسم 1,200 صورة قبل الساعة 10:30، ولم يتعب.",
    ],
  },
  {
    name: "hebrew",
    language: "he",
    texts: [
      "ירח",
      "ליל ירח",
      "ועידת Platen 2026",
      "ערב שירה מספר 12 בחיפה",
      "פתיחת התערוכה ב־9 במרץ 2026 (הכניסה חופשית) באולם B",
      "אמר לי חברי: ״אל תשאל על הדרך״, ואז פתח את Platen 4.2 וצייר 1,200 תמונות לפני 10:30, ולא התעייף.",
    ],
  },
  {
    name: "urdu",
    language: "ur",
    texts: [
      "چاند",
      "چاندنی رات",
      "اردو کی ایک شام",
      "لاہور میں غزل کی محفل",
      "پرانے شہر کی گلیوں میں موسیقی اور شاعری کی ایک شام",
      "ہزاروں خواہشیں ایسی کہ ہر خواہش پہ دم نکلے، بہت نکلے مرے ارمان لیکن پھر بھی کم نکلے۔",
    ],
  },
  {
    name: "thai",
    language: "th",
    texts: [
      "ว่ายน้ำ",
      "คืนพระจันทร์",
      "ว่ายน้ำกลางคืน",
      "งานเทศกาลดนตรีริมแม่น้ำ",
      "พบกันที่ท่าเรือเก่าในคืนพระจันทร์เต็มดวงเดือนหน้า",
      "ที่นี่ไม่มีอะไรเร่งรีบ เราตื่นเช้าเพื่อดูหมอก แล้วค่อยๆ ชงกาแฟให้คนที่เรารัก ก่อนที่เมืองจะตื่นขึ้นมา",
    ],
  },
  {
    name: "khmer",
    language: "km",
    texts: [
      "ភ្នំពេញ",
      "យប់តន្ត្រី",
      "ពិធីបុណ្យអុំទូក",
      "សូមស្វាគមន៍មកកាន់រាជធានី",
      "ការប្រគំតន្ត្រីនៅមាត់ទន្លេក្នុងរាត្រីព្រះច័ន្ទពេញវង់",
      "ស្រុកស្រែចម្ការរបស់យើងមានទឹកភ្លៀងគ្រប់គ្រាន់ ហើយកុមារទាំងឡាយរៀនអានសៀវភៅនៅក្រោមដើមស្វាយ។",
    ],
  },
  {
    name: "myanmar",
    language: "my",
    texts: [
      "မြန်မာ",
      "လသာည",
      "ရန်ကုန်မြို့ည",
      "မြစ်ကမ်းဘေး တေးဂီတပွဲ",
      "လပြည့်ညတွင် ဆိပ်ကမ်းဟောင်း၌ တွေ့ဆုံကြပါစို့",
      "ဤမြို့ကလေးတွင် နံနက်စောစော ထ၍ မြူများကို ကြည့်ကာ ကော်ဖီဖျော်သည့် လူကြီးတစ်ဦး နေထိုင်သည်။",
    ],
  },
  {
    name: "lao",
    language: "lo",
    texts: [
      "ວຽງຈັນ",
      "ຄືນເດືອນເພັງ",
      "ງານບຸນຊ່ວງເຮືອ",
      "ຍິນດີຕ້ອນຮັບສູ່ຫຼວງພະບາງ",
      "ພົບກັນທີ່ທ່າເຮືອເກົ່າໃນຄືນເດືອນເພັງເດືອນໜ້າ",
      "ທີ່ນີ້ບໍ່ມີຫຍັງຮີບຮ້ອນ ພວກເຮົາຕື່ນແຕ່ເຊົ້າເພື່ອເບິ່ງໝອກ ແລ້ວຄ່ອຍໆຊົງກາເຟໃຫ້ຄົນທີ່ເຮົາຮັກ",
    ],
  },
  {
    name: "devanagari",
    language: "hi",
    texts: [
      "चाँद",
      "पूर्णिमा",
      "संगीत की रात",
      "हिन्दी कविता की एक शाम",
      "पुराने शहर में शास्त्रीय संगीत और कविता की एक शाम",
      "जो बीत गई सो बात गई; जीवन में एक सितारा था, माना वह बेहद प्यारा था, वह डूब गया तो डूब गया।",
    ],
  },
  {
    name: "tamil",
    language: "ta",
    texts: [
      "நிலவு",
      "இசை இரவு",
      "தமிழ்ப் புத்தாண்டு",
      "கடற்கரையில் ஓர் இசை இரவு",
      "பழைய நகரின் தெருக்களில் இசையும் கவிதையும் சேர்ந்த மாலை",
      "யாதும் ஊரே யாவரும் கேளிர்; தீதும் நன்றும் பிறர்தர வாரா; நோதலும் தணிதலும் அவற்றோரன்ன.",
    ],
  },
  {
    name: "bengali",
    language: "bn",
    texts: [
      "চাঁদ",
      "পূর্ণিমা",
      "গানের সন্ধ্যা",
      "রবীন্দ্রসঙ্গীতের এক সন্ধ্যা",
      "পুরোনো শহরের গলিতে গান আর কবিতার একটি সন্ধ্যা",
      "যেখানে চিত্ত ভয়শূন্য, উচ্চ যেথা শির, জ্ঞান যেথা মুক্ত, যেথা গৃহের প্রাচীর আপন প্রাঙ্গণতলে দিবসশর্বরী।",
    ],
  },
  {
    name: "japanese-kanji",
    language: "ja",
    region: "ja",
    texts: [
      "夏祭",
      "東京楽団",
      "東京都交響楽団",
      "公益財団法人東京都交響楽団",
      "前売四千五百円当日五千円全席指定",
      "東京都交響楽団創立記念演奏会前売四千五百円当日五千円全席指定",
    ],
  },
  {
    name: "japanese",
    language: "ja",
    region: "ja",
    texts: [
      "夏の夜",
      "夏の夜の寄席",
      "散歩に出かけました",
      "今日はとても天気がいい日でした。",
      "今日はとても天気がいいので散歩に出かけました。",
      "雨ニモマケズ、風ニモマケズ、雪ニモ夏ノ暑サニモマケヌ、丈夫ナカラダヲモチ、慾ハナク、決シテ瞋ラズ、イツモシヅカニワラッテヰル。",
    ],
  },
  {
    name: "korean",
    language: "ko",
    region: "ko",
    texts: [
      "달밤",
      "여름밤 음악회",
      "서울 가을 음악회",
      "강가에서 열리는 여름밤 음악회",
      "오래된 골목에서 만나는 음악과 시의 저녁에 초대합니다",
      "죽는 날까지 하늘을 우러러 한 점 부끄럼이 없기를, 잎새에 이는 바람에도 나는 괴로워했다.",
    ],
  },
  {
    name: "chinese-simplified",
    language: "zh-Hans",
    region: "zh-Hans",
    texts: [
      "夜游",
      "月光音乐会",
      "江边的夏夜音乐会",
      "老城区里的“音乐与诗”之夜——欢迎光临",
      "在老城区的小巷里，我们为您准备了一场音乐与诗的晚会。",
      "人们说：“时间会带走一切。”可是这座城市的每一条小巷，都还记得我们——记得我们骑着单车穿过雨季的样子。",
    ],
  },
  {
    name: "chinese-traditional",
    language: "zh-Hant",
    region: "zh-Hant",
    texts: [
      "夜遊",
      "月光音樂會",
      "江邊的夏夜音樂會",
      "老城區裡的「音樂與詩」之夜——歡迎光臨",
      "在老城區的小巷裡，我們為您準備了一場音樂與詩的晚會。",
      "人們說：「時間會帶走一切。」可是這座城市的每一條小巷，都還記得我們——記得我們騎著單車穿過雨季的樣子。",
    ],
  },
  {
    name: "emoji",
    language: "en",
    texts: [
      "👩‍👩‍👧‍👦",
      "Join us 🎉🇧🇷",
      "Family day 👨‍👩‍👧 🏳️‍🌈",
      "From 🇳🇴 to 🇯🇵 in a day ✈️",
      "The whole crew 👩🏽‍🚀👨🏿‍🔬🧑🏻‍🎨 meets at the harbour 🌊",
      "A year of ☀️ and 🌧️: we planted 🌱, we watched it grow 🌳, and the neighbours 👨‍👩‍👧‍👦 came by with 🥧 every Sunday.",
    ],
  },
  {
    name: "combining-marks",
    language: "en",
    texts: [
      "Z̵̧a̶l̴g̷",
      "q̃ n̈ x̂ m̄ ŕ̩",
      "Résumé naïve Å",
      "Marks: a̐éö̲ m̂n̂ x́ỳ and r̃",
      "A line with a̐éö̲ and ọ̀ẹ́ṣ, then q̃ and m̄n̄ as they stand",
      "Letters can carry marks above and below: a̐, é, ö̲, ọ̀, ẹ́, ṣ, q̃, m̄, n̈, x̂, ŕ̩ — and each keeps its place on the line.",
    ],
  },
];

/** A sample by its name. @throws Error for a name without one */
export function sampleOf(name: string): Sample {
  const sample = SAMPLES.find((candidate) => candidate.name === name);
  if (!sample) throw new Error(`There is no sample "${name}".`);
  return sample;
}
