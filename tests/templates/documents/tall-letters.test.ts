import { afterAll, beforeAll, expect, test } from "vitest";
import { explainPicture } from "#lib/proof/explain.ts";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { pixelsOf, prepareMachine } from "#tests/render/rig.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

async function hardToRead(slug: string, variant: string, data: Record<string, unknown>) {
  const { warnings } = await drawTemplate({ template: await shippedTemplate(slug), variant, data }, { timings: {} });
  return warnings.filter(({ code }) => code === "low_contrast").map(({ path }) => path);
}

test.each([
  ["Arabic", "اشتريت هذه السماعات من متجر ==Sony Center Dubai Mall في الطابق الأول== وكانت *رائعة* جدا"],
  ["Urdu", "==یہ بہت اچھی چیز ہے اور اس کی قیمت== مناسب ہے"],
  ["Thai", "==ผู้ใหญ่ญี่ปุ่นชอบฤๅษีฐานกู้ภัยและปู่ย่าตายายที่อยู่ใกล้ๆ กัน== มาก"],
  ["Khmer", "==ស្ត្រីខ្មែរធ្វើការល្អណាស់ក្នុងក្រុមហ៊ុន== ណាស់"],
  ["Devanagari", "==द्भ्रू कुटुम्ब शुद्ध हृदय ट्रॅफिक ङ्क्ष== अच्छा"],
  ["Tamil", "==ஸ்ரீ குழந்தைகளுக்கு மிகவும்== நல்லது"],
  ["Tibetan", "==བོད་ཀྱི་སྐད་ཡིག== ནི་ ==རྒྱལ་པོ== ཡིན།"],
  ["English", "It has ==outlived two dishwashers== and a house move."],
])("marked words of a review are readable as a whole: %s", async (_, review) => {
  expect(await hardToRead("review/card", "soba", { review })).toEqual([]);
});

async function explained(template: string, variant: string, data: Record<string, unknown>) {
  const options = { signal: AbortSignal.timeout(60_000), caller: "test", leavesBrowser: false };
  const { explanation, png } = await explainPicture({ template, variant, data }, options);
  return { texts: explanation.texts, pixels: await pixelsOf(png) };
}

/** The columns from left to right in which a picture of 1,080 pixels has a colour below a row. */
function columnsWith(pixels: Buffer, color: string, below: number): number[] {
  const wanted = Buffer.from(color, "hex");
  const found = new Set<number>();
  for (let at = below * 1080 * 3; at < pixels.length; at += 3)
    if (wanted.equals(pixels.subarray(at, at + 3))) found.add((at / 3) % 1080);
  return [...found].toSorted((a, b) => a - b);
}

test("tall letters have no band in a text of other letters either", async () => {
  const review = "Bought at the souk: ==كتاب في المغرب الجميل== and it is ==good== indeed.";
  const { pixels } = await explained("review/card", "bowl", { review });
  expect(columnsWith(pixels, "ffffff", 280)).toEqual([]);
});

test("a band has padding at both of its ends where the text runs against the card", async () => {
  const review = "It has ==outlived two dishwashers and a house move== so far.";
  const { texts, pixels } = await explained("review/card", "bowl", { language: "ar", accent: "#c4442a", review });
  const ink = texts.find(({ field }) => field === "review")?.ink;
  const [left = 1080] = columnsWith(pixels, "c4442a", 280);
  expect((ink?.left ?? 0) - left).toBeGreaterThan(8);
});

test("sets that are lost are readable wherever the lines of the court are", async () => {
  const name = "Wolverhampton Wanderers Football Club 18";
  expect(await hardToRead("sport/result", "final", { home: name, away: name })).toEqual([]);
  expect(await hardToRead("sport/result", "final", { language: "ar" })).toEqual([]);
  // On this grey, a colour that is readable on the lines may be darker and too close to it.
  expect(await hardToRead("sport/result", "final", { homeColor: "#ffdd00", awayColor: "#808080" })).toEqual([]);
});

test("the dots of Arabic names in a ranking stay above the bar", async () => {
  const rows = [
    { name: "النيل", value: 6650 },
    { name: "بيت", value: 640 },
  ];
  const { texts } = await explained("data/ranking", "lakes", { rows });
  const names = texts.filter(({ field }) => field.endsWith(".name"));
  expect(names.map(({ text }) => text)).toEqual(["النيل", "بيت"]);
  for (const { box, ink } of names) expect(ink?.bottom).toBeLessThanOrEqual(Math.ceil(box.bottom));
});

test.each(["grotesk", "condensed", "serif"])(
  "digits that reach far below their line keep off the edge: %s",
  async (typeface) => {
    const data = { language: "my", number: 934, typeface, guests: null };
    const { texts } = await explained("social/podcast", "load", data);
    const ink = texts.find(({ field }) => field === "number")?.ink;
    expect(1400 - (ink?.bottom ?? 1400)).toBeGreaterThan(40);
  },
);

test.each([
  ["a dotted capital", "social/story", "swim", { figure: "iyi", title: "İyi ki geldiniz, bugün çok güzel" }],
  ["letters without capitals", "social/story", "swim", { figure: "წყალი" }],
  ["lines without capitals", "social/podcast", "load", { show: "ყვავილი წყალი" }],
  ["capitals that are drawn as small letters", "social/story", "swim", { figure: "ᲬᲧᲐᲚᲘ" }],
  ["a diaeresis that stands for an accent", "social/podcast", "load", { show: "άι ρολόι γάιδαρος" }],
])("in a text of capitals, %s keeps off the edges and the other texts", async (_, template, variant, data) => {
  const options = { signal: AbortSignal.timeout(60_000), caller: "test", leavesBrowser: false };
  const { explanation } = await explainPicture({ template, variant, data }, options);
  expect(explanation.faults).toEqual([]);
});

/** Where the code of a badge ends, from left to right and from right to left, and the margin of half a module that it needs. */
const [CODE_END, RTL_CODE_END, CODE_MARGIN] = [928, 312, 20];

/** The columns beside the code of a badge in which its picture, 1,240 pixels wide, has dark letters. */
function columnsOfRole(pixels: Buffer, direction: string): number[] {
  const found = new Set<number>();
  for (let at = 820 * 1240 * 3; at < 1652 * 1240 * 3; at += 3)
    if ((pixels[at] ?? 255) < 130) found.add((at / 3) % 1240);
  const columns = [...found].toSorted((a, b) => a - b);
  return columns.filter((column) => (direction === "rtl" ? column < RTL_CODE_END : column >= CODE_END));
}

test.each<[name: string, role: string, language?: string]>([
  ["Kannada", "ವ್ಯಕ್ತಿ"],
  ["Sinhala", "ශ්‍රී ලංකා"],
  ["Tibetan", "བསྒྲུབས་བོད"],
  ["Dzongkha", "བསྒྲུབས་བོད", "dz"],
  ["Malayalam", "പ്രഭാഷകൻ ക്ഷ്മ്യ"],
  ["Odia", "ଶ୍ରୀମତୀ ବକ୍ତ୍ରୁ"],
  ["Tamil", "ஸ்ரீ"],
  ["Maithili", "द्भ्रू ङ्क्ष", "mai"],
  ["Javanese", "ꦥꦩꦶꦕꦫꦏꦿ"],
  ["Balinese", "ᬧᬸᬭᬸᬱ ᬓᬺᬱ᭄ᬡ"],
  ["Meetei", "ꯁꯨꯃꯪ ꯂꯤꯂꯥ"],
  ["Vietnamese", "Diễn giả Ấ"],
  ["Dhivehi", "ދެކެވުންތެރިޔާ"],
  ["Persian on an English badge", "پژوهشگر"],
  ["Persian", "پژوهشگر", "fa"],
  ["Urdu", "مقرر کا نام", "ur"],
  ["Japanese with a word of English", "招待作家 Staff", "ja"],
  ["Latin", "Speaker"],
])("on a badge, a role in %s keeps off the code beside it", async (_, role, language) => {
  const { texts, pixels } = await explained("event/badge", "speaker", { role, ...(language && { language }) });
  const { direction = "ltr" } = texts.find(({ field }) => field === "role") ?? {};
  const columns = columnsOfRole(pixels, direction);
  const [first = 0, last = 0] = [columns[0], columns.at(-1)];
  const isOffTheCode = direction === "rtl" ? last < RTL_CODE_END - CODE_MARGIN : first > CODE_END + CODE_MARGIN;
  expect(isOffTheCode, `${first} to ${last}`).toBe(true);
});
