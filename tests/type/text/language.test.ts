import { expect, test } from "vitest";
import { detectDocumentLanguage, detectLanguage } from "#lib/type/text/language.ts";
import { detectScript } from "#lib/type/text/scripts.ts";

test.each([
  ["東京タワー", "ja"],
  ["서울 大學", "ko"],
  ["简体中文汉语", "zh-Hans"],
  ["繁體中文臺灣", "zh-Hant"],
  ["ㄅㄆㄇ 注音", "zh-Hant"],
  ["你好", "zh-Hans"],
  ["東京都交響楽団", "ja"],
  ["", ""],
  ["Unsere Straßenverkehrszulassungsordnung ist lang.", "de"],
  ["Künstliche Intelligenz", "de"],
  ["Straße", "de"],
  ["Usiku wa muziki katika mji wa kale", "sw"],
  ["Karibu kwenye tamasha la watu wa pwani", "sw"],
  ["Une nuit sans étoiles", "fr"],
  ["V zahradě a na louce", "cs"],
  ["En natt med musik", "sv"],
  ["Đêm nhạc mùa hè", "vi"],
  ["Malam musik di taman kota", "id"],
  ["Ночной заплыв в середине лета", "ru"],
  ["Ніч музики у місті", "uk"],
  ["Нощ на музиката", "bg"],
  ["Морин хуурын найрал хөгжим", "mn"],
  ["Монголын өдөр", "mn"],
  ["Алматыдағы көктем мерекесі", "kk"],
  ["Жаңа жыл құтты болсын", "kk"],
  ["Ош шаарынын күнү", "ky"],
  ["Жаңы китептер", "ky"],
  ["Ҷашни Наврӯз муборак", "tg"],
  ["Янги йилингиз қутлуғ бўлсин", "uz-Cyrl"],
  ["Казанда татар җыры кичәсе", "tt"],
  ["Өфөлә башҡорт йыры", "ba"],
  ["Ноќ на музиката", "mk"],
  ["Ноћ музике у Београду", "sr"],
  ["Ноч музыкі ў Мінску", "be"],
  ["चाँदनी रात में संगीत", "hi"],
  ["माझे पुस्तक आहे आणि मी वाचतो", "mr"],
  ["ليلة العود تحت القمر", "ar"],
  ["شب شعر در تهران", "fa"],
  ["چاندنی رات میں شاعری", "ur"],
  ["شەوی مۆسیقا لە هەولێر", "ckb"],
  ["ئۈرۈمچىدە مۇزىكا كېچىسى", "ug"],
  ["د موسیقۍ شپه په کابل کې", "ps"],
  ["سنڌي موسيقيءَ جي رات", "sd"],
  ["איך האָב דיך ליב", "yi"],
  ["לילה אחד", "he"],
  ["Γειά σου", "el"],
  ["ว่ายน้ำกลางคืน", "th"],
  ["ᠮᠣᠩᠭᠣᠯ", "mn-Mong"],
  ["Less is more.", "en"],
  ["Halyard", ""],
  ["Заря", "ru"],
])("%s is in %j", (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

test.each([
  ["東京", "ja", "ja"],
  ["大學", "ko", "ko"],
  ["中文", "zh-Hant", "zh-Hant"],
  ["简体", "ja", "zh-Hans"],
  ["Halyard", "de", "de"],
  ["Preview", "de", "de"],
  ["नमस्ते", "mr", "mr"],
  ["The midsummer night swim", "de", "en"],
  ["Das Lied von der Erde", "en", "de"],
  ["Freitag, der 13.", "de-AT", "de-AT"],
  ["42", "th", "th"],
  ["TypeScript 入門", "zh-Hant", "zh-Hant"],
  ["PostgreSQL คืออะไร", "th", "th"],
  ["The midsummer night swim", "ja", "en"],
])("%s among texts in %s is in %s", (text, around, language) => {
  expect(detectLanguage(text, around)).toBe(language);
});

test.each([
  ["Президент Нұрсұлтан Назарбаев посетил выставку современного искусства", "ru"],
  ["Поход Сүхбаатара: история одного из самых загадочных людей своего времени", "ru"],
  ["Виставка картин художника Әбілхана Қастеєва відкриється в суботу", "uk"],
  ["Прэзідэнт Қасым-Жамарт Такаеў наведаў выставу сучаснага мастацтва", "be"],
  ["Президентът Ѓорге Иванов пристигна на посещение в София, където се срещна с министъра", "bg"],
  ["Председник Ѓорге Иванов стигао је у посету Београду, где ће се састати са министром", "sr"],
  ["کنسرت گروه کوردستان ژیاڵ در تهران با حضور هنرمندان ایرانی برگزار می‌شود", "fa"],
  ["نشست ادبی: شعر فارسی امروز و آینده، با حضور استاد ٹیگور در دانشگاه تهران", "fa"],
  ["أمسية شعرية مع الشاعر كاك هێمن في بيت الثقافة بالقاهرة يوم السبت المقبل", "ar"],
  ["اردو زبان و ادب کی تاریخ میں پښتو شاعری کا مقام اور اس کے اثرات پر ایک نظر", "ur"],
])("a name of another language does not decide: %s", (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

test("a name among texts of its script has their language", () => {
  expect(detectLanguage("Benedita Rocha da Silva", "en", false)).toBe("en");
});

const prose = (text: string) => ({ text, isProse: true });
const name = (text: string) => ({ text, isProse: false });

test.each([
  [
    "Latin names in a Japanese title are no words",
    [prose("TypeScript 入門"), prose("フロントエンド"), name("山田太郎")],
    "ja",
  ],
  ["nor in a Korean one", [prose("Docker Compose로 PostgreSQL 띄우기"), prose("백엔드")], "ko"],
  ["nor in an Arabic one", [prose("مقدمة في Kubernetes و Docker Swarm"), prose("تقنية"), name("أحمد علي")], "ar"],
  ["nor in a Thai one", [prose("PostgreSQL Replication คืออะไร"), prose("ฐานข้อมูล")], "th"],
  ["nor in a Russian one", [prose("Kubernetes, Docker Swarm и Nomad"), prose("Разработка")], "ru"],
  [
    "an English title with a Japanese name is English",
    [prose("An evening with the music of 東京事変"), prose("Concert")],
    "en",
  ],
  ["the leading text decides", [prose("Ночь музыки"), prose("The night bus tour of the year")], "ru"],
  [
    "all texts decide together where the leading one is a name",
    [name("Halyard"), prose("Eine Lampe"), prose("Sie dimmt wie der Abend")],
    "de",
  ],
  ["names do not decide", [prose("Aida"), name("Benedita Rocha da Silva e Castro")], ""],
  ["a leading name does not decide", [name("Benedita Rocha da Silva e Castro"), prose("Ein Abend mit Musik")], "de"],
  ["nor does one beside words in other letters", [name("Ana Núñez"), prose("スピーカー（招待）")], "ja"],
  ["a name in Arabic does, beside Latin words", [name("محمد الأحمد"), prose("CTO, Platen"), name("12:30")], "ar"],
  ["a name in Cyrillic does", [name("Иван Петров"), prose("Speaker at the conference")], "ru"],
  [
    "a text that begins in other letters than most of it is read once",
    [prose("Hello hello سلام"), prose(`${"مرحبا ".repeat(60)}${"hello world ".repeat(300)}`)],
    "ar",
  ],
  ["kana beside it makes a kanji title Japanese", [prose("月見会"), prose("お団子つき")], "ja"],
  [
    "words that are Persian too are Urdu beside letters of Urdu",
    [
      { text: "چاندنی رات", isProse: true },
      { text: "لاہور میں غزل کی محفل", isProse: true },
    ],
    "ur",
  ],
  ["no text has no language", [], ""],
])("%s", (_, texts, language) => {
  expect(detectDocumentLanguage(texts)).toBe(language);
});

test.each([
  ["สวัสดี 2026", "thai"],
  ["नमस्ते world, दुनिया", "devanagari"],
  ["한국어", "hangul"],
  ["hello 東京", "latin"],
  ["مؤتمر Platen 2026", "arabic"],
  ["Visit the Москва", "latin"],
  ["2026年3月に、Platenで「縦書き」を組む。英字はABC。", "han"],
  ["42 · 😀", ""],
])("%s is written in %j", (text, script) => {
  expect(detectScript(text)).toBe(script);
});
