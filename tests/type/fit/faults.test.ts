import { afterAll, describe, expect, test } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import type { FitOutcome } from "#lib/type/fit/measurements.ts";
import { fitRequest } from "./fit-request.ts";

afterAll(() => shutDown());

type Picture = Awaited<ReturnType<typeof fitRequest>>;

/** The text of all lines together, without the spaces and hyphens at their breaks. */
const textOf = ({ lines }: FitOutcome) => lines.join("").replaceAll(/[\s\u00ad]/g, "");

function expectInkOnCanvas({ fits, width, height }: Picture): void {
  for (const { field, ink } of fits) {
    expect(ink.left, `${field} at the left`).toBeGreaterThanOrEqual(-1);
    expect(ink.top, `${field} at the top`).toBeGreaterThanOrEqual(-1);
    expect(ink.right, `${field} at the right`).toBeLessThanOrEqual(width + 1);
    expect(ink.bottom, `${field} at the bottom`).toBeLessThanOrEqual(height + 1);
  }
}

/** True where the ink of two texts touches. */
const meet = ({ ink: a }: FitOutcome, { ink: b }: FitOutcome) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe("a short title in any script is large and whole", () => {
  test.each([
    ["event/ticket", undefined, "ליל ירח", 110],
    ["event/ticket", undefined, "ว่ายน้ำกลางคืน", 105],
    ["event/ticket", undefined, "चाँदनी रात", 110],
    ["event/ticket", undefined, "រាត្រីព្រះចន្ទ", 105],
    ["event/ticket", "club", "Ночь музыки", 110],
    ["social/story", undefined, "ว่ายน้ำกลางคืน", 115],
    ["social/story", undefined, "Ночной заплыв в середине лета", 115],
  ])("%s %s: %s", async (template, variant, title, least) => {
    const picture = await fitRequest({ template, data: { title }, ...(variant && { variant }) });
    const fit = picture.fitOf("title");
    expect(fit.cut).toBeUndefined();
    expect(textOf(fit)).toBe(title.replaceAll(" ", ""));
    expect(fit.to).toBeGreaterThanOrEqual(least);
    expectInkOnCanvas(picture);
  });
});

describe("a word that is wider than its track is made smaller, and the request is told", () => {
  test.each(["Preview", "Kostenlos", "Enterprise", "תצוגה", "معاينة", "முன்னோட்"])("%s", async (release) => {
    const picture = await fitRequest({ template: "product/launch", data: { release } });
    const fit = picture.fitOf("release");
    expect(fit).toMatchObject({ lines: [release] });
    // The panel is 680 pixels wide, with 40 pixels on both sides of the word.
    expect(fit.ink.left).toBeGreaterThanOrEqual(959);
    expect(fit.ink.right).toBeLessThanOrEqual(1_562);
    if (fit.to < fit.from) expect(picture.warnings).toMatchObject([{ path: "/data/release", code: "text_shrunk" }]);
    expectInkOnCanvas(picture);
  });
});

test("a German compound in a quote is divided between its words", async () => {
  const quote = "Unsere Straßenverkehrszulassungsordnung ist lang.";
  const { fitOf } = await fitRequest({ template: "social/quote", variant: "poster", data: { quote } });
  const { lines, to } = fitOf("quote");
  expect(to).toBeGreaterThan(100);
  expect(lines).toEqual(["Unsere", "Straßenverkehrs-", "zulassungs-", "ordnung ist lang."]);
});

describe("no text takes the room of another", () => {
  test("the site's name stays whole beside a long category", async () => {
    const { fitOf } = await fitRequest({ template: "blog/article", data: { category: "Künstliche Intelligenz" } });
    expect(fitOf("siteName")).toMatchObject({ lines: ["The Slow Desk"] });
    expect(fitOf("siteName").cut).toBeUndefined();
    expect(fitOf("category")).toMatchObject({ lines: ["Künstliche Intelligenz"] });
    expect(fitOf("category").cut).toBeUndefined();
  });

  test("the presenter stays whole beside a long price", async () => {
    const data = { price: "前売四千五百円当日五千円", presenter: "公益財団法人東京都交響楽団" };
    const { fitOf } = await fitRequest({ template: "event/ticket", variant: "yose", data });
    for (const field of ["price", "presenter"] as const) {
      expect(fitOf(field)).toMatchObject({ lines: [data[field]] });
      expect(fitOf(field).cut).toBeUndefined();
    }
  });
});

describe("lines keep apart in scripts with marks", () => {
  test.each([
    ["myanmar", "ကျွန်ုပ်တို့သည် လွတ်လပ်စွာ စဉ်းစားခွင့် ရှိသည်။"],
    ["khmer", "សេរីភាពគឺជាសិទ្ធិរបស់មនុស្សទាំងអស់"],
    ["hindi", "स्वतंत्रता मेरा जन्मसिद्ध अधिकार है और मैं इसे लेकर रहूँगा"],
    ["thai", "ผู้ที่ไม่เคยทำผิดพลาดคือผู้ที่ไม่เคยลองทำสิ่งใหม่"],
    ["tamil", "யாதும் ஊரே யாவரும் கேளிர் தீதும் நன்றும் பிறர்தர வாரா"],
  ])("%s in a poster", async (_, quote) => {
    const picture = await fitRequest({ template: "social/quote", variant: "poster", data: { quote, highlight: "" } });
    const fit = picture.fitOf("quote");
    expect(fit.lines.length).toBeGreaterThan(1);
    expect(fit.leading / fit.to).toBeGreaterThan(1.05);
    expect(textOf(fit)).toBe(quote.replaceAll(" ", ""));
    expectInkOnCanvas(picture);
    expect(picture.fits.filter((other) => other !== fit && meet(fit, other))).toEqual([]);
  });

  test.each(["Đặng Ẩm Thực", "نجمة الصباح"])("a name stays off the line above it: %s", async (name) => {
    const picture = await fitRequest({ template: "product/launch", data: { name } });
    expect(meet(picture.fitOf("name"), picture.fitOf("maker"))).toBe(false);
    expect(meet(picture.fitOf("name"), picture.fitOf("tagline"))).toBe(false);
  });

  test("Yoruba accents stay on the canvas", async () => {
    expectInkOnCanvas(await fitRequest({ template: "social/story", data: { title: "Ọ̀ṣun Ẹ̀kọ́", figure: "Ẹ̀" } }));
  });
});

test("swashes of script capitals stay inside the text area of a certificate", async () => {
  const data = { recipient: "THE HARBOUR PRIZE" };
  const { ink } = (await fitRequest({ template: "document/certificate", data })).fitOf("recipient");
  expect(ink.left).toBeGreaterThanOrEqual(456);
  expect(ink.right).toBeLessThanOrEqual(1_754 - 176);
});

test("letters that reach out of their line do not cut a text whose box is as long as it", async () => {
  const { fits, fitOf } = await fitRequest({ template: "event/ticket", variant: "oud" });
  expect(fits.filter(({ cut }) => cut)).toEqual([]);
  // The price stands at the left edge of the main half: 92 pixels from the tear.
  expect(fitOf("price").ink.left).toBeLessThan(390);
});

test("a text that its style sheet does not let wrap has one line", async () => {
  const data = { gate: "လသာည", language: "my" };
  const { fitOf } = await fitRequest({ template: "event/ticket", variant: "concert", data });
  expect(fitOf("gate").lines).toEqual(["လသာည"]);
});

test("a German compound is hyphenated rather than made tiny", async () => {
  const data = { quote: "Unsere Straßenverkehrszulassungsordnung ist lang.", highlight: "" };
  const { fitOf } = await fitRequest({ template: "social/quote", variant: "poster", data });
  const { to, lines } = fitOf("quote");
  expect(to).toBeGreaterThan(100);
  expect(lines.join("\n")).toMatch(/-\n/);
  expect(lines.join("")).not.toContain("\u00ad");
});

test("the README's first request has no warning, because a text that fills its room has no size of its own", async () => {
  const data = {
    quote: "Perfection is reached not when there is nothing left to add, but when there is nothing left to take away.",
    highlight: "nothing left to take away.",
    author: "Antoine de Saint-Exupéry",
    role: "Pilot and writer, 1900–1944",
    source: "Terre des hommes, 1939",
  };
  expect((await fitRequest({ template: "social/quote", data })).warnings).toEqual([]);
});

test("a title from right to left uses the whole width of its lines", async () => {
  const { fitOf } = await fitRequest({ template: "social/story", variant: "craft" });
  expect(fitOf("title").lines).toHaveLength(2);
  expect(fitOf("where").lines).toHaveLength(2);
  expect(fitOf("figure").to).toBeGreaterThan(700);
});
