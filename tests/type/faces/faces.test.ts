import { afterAll, describe, expect, it } from "vitest";
import { fontStack } from "#lib/fonts/generic-families.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { assignFacesExpression } from "#lib/type/faces/assign-faces.ts";
import type { DocumentFonts } from "#lib/type/faces/document-fonts.ts";
import { buildFaceTable } from "#lib/type/faces/face-table.ts";

afterAll(() => shutDown());

const SERIFS: DocumentFonts = {
  lists: [
    ["Instrument Serif", "serif"],
    ["Pinyon Script", "Cormorant Garamond", "serif"],
    ["Fraunces", "serif"],
  ],
  own: {},
};

const GARAMOND: DocumentFonts = { lists: [["Cormorant Garamond", "serif"]], own: {} };

const SANS: DocumentFonts = {
  lists: [
    ["Anton", "sans-serif"],
    ["Bricolage Grotesque", "sans-serif"],
    ["Archivo", "sans-serif"],
  ],
  own: {},
};

/** The words of the body by the family that draws them, and the height of the paragraph. */
const READ_FACES = `Array.from(document.querySelectorAll("p")).map((p) => {
  const walker = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
  const parts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const family = getComputedStyle(node.parentElement).fontFamily.split(",")[0].replaceAll('"', "");
    if (node.textContent.trim()) parts.push([node.textContent.trim(), family.split(" + ").at(-1)]);
  }
  return { parts, height: p.getBoundingClientRect().height };
})`;

type Read = { parts: [text: string, family: string][]; height: number }[];

type Sample = { fonts?: DocumentFonts; family?: string; lang?: string; html: string; style?: string };

async function read({ fonts = SERIFS, family = fonts.lists[0]?.[0] ?? "", lang = "", html, style = "" }: Sample) {
  const body = `<p lang="${lang}">${html}</p>`;
  const faces = buildFaceTable({ fonts, glyphs: undefined, text: body });
  const generic = fonts === SANS ? "sans-serif" : "serif";
  const rest = fonts.lists.find(([first]) => first === family)?.slice(1, -1) ?? [];
  const names = [family, ...rest].map((name) => `"${name}"`).join();
  const css = `body{margin:0}p{margin:0;font:40px/1 ${names},${fontStack(generic)}}${style}${faces?.rules ?? ""}`;
  const measure = faces ? `(${assignFacesExpression(faces.table)}, ${READ_FACES})` : READ_FACES;
  const { measured } = await renderPicture({
    html: `<!doctype html><meta charset="utf-8"><style>${css}</style><body>${body}`,
    width: 2_000,
    height: 300,
    measure,
  });
  return (measured as Read)[0] ?? { parts: [], height: 0 };
}

async function partsOf(sample: Sample) {
  return (await read(sample)).parts;
}

describe("A text in a family that lacks some of its letters", () => {
  it("keeps its own face behind a sign of another script, which no companion of its script has", async () => {
    for (const html of ["漢字［abc］", "हिन्दी १२abc"]) {
      const parts = await partsOf({ html: `${html}<br>ⅷ`, family: "Fraunces" });
      expect(parts.find(([text]) => text.includes("abc"))?.[1], html).toBe("Fraunces");
    }
  });

  it("is drawn whole by the companion, accents and plain words alike", async () => {
    const html = "Nguyễn Văn Ộn, tự do";
    expect(await partsOf({ html })).toEqual([[html, "EB Garamond"]]);
  });

  it("is drawn by the companion where an element inside has a rule of its own for the same family", async () => {
    const html = "<b>Nguyễn</b>";
    const style = `b{font-family:"Instrument Serif",${fontStack("serif")}}`;
    expect(await partsOf({ html, style })).toEqual([["Nguyễn", "EB Garamond"]]);
  });

  it("stays in its family if that has every letter", async () => {
    expect(await partsOf({ html: "Crème brûlée — “à la carte”" })).toEqual([
      ["Crème brûlée — “à la carte”", "Instrument Serif"],
    ]);
  });

  it.each([
    ["Anton", "Ночь №5", "Sofia Sans Extra Condensed"],
    ["Anton", "≠", "Sofia Sans Extra Condensed"], // It would draw =.
    ["Archivo", "Καλημέρα", "Inter"],
    ["Archivo", "∩", "Noto Sans Math"], // It would draw a single stroke.
    ["Bricolage Grotesque", "Ọjọ́ ọ̀tun", "Inter"],
  ])("has a companion of the kind of %s for %s", async (family, html, companion) => {
    expect(await partsOf({ fonts: SANS, family, html })).toEqual([[html, companion]]);
  });

  it("goes to the next family of its list before a companion", async () => {
    expect(await partsOf({ family: "Pinyon Script", html: "Анна" })).toEqual([["Анна", "Cormorant Garamond"]]);
  });

  it("goes to a companion if the family cannot place its combining marks", async () => {
    expect(await partsOf({ family: "Fraunces", html: "ẹ́ ọ̀" })).toEqual([["ẹ́ ọ̀", "Source Serif 4"]]);
  });

  it.each([
    ["q̃ a̐", "Noto Serif"],
    ["X̂ a̐", "Noto Serif"],
  ])("goes to the companion that has places for the marks of its letters: %s", async (html, companion) => {
    expect(await partsOf({ fonts: GARAMOND, html })).toEqual([[html, companion]]);
  });

  it("stays in its family if that has places for its marks", async () => {
    expect(await partsOf({ fonts: GARAMOND, html: "q̃ X̂ m̄" })).toEqual([["q̃ X̂ m̄", "Cormorant Garamond"]]);
  });

  it("keeps the words in other scripts, and takes its punctuation along", async () => {
    expect(await partsOf({ html: "Platen and «Москва», then more" })).toEqual([
      ["Platen and", "Instrument Serif"],
      ["«Москва»,", "EB Garamond"],
      ["then more", "Instrument Serif"],
    ]);
  });

  it("keeps the signs of program code in its own family, whose characters stand in columns", async () => {
    const parts = await partsOf({ html: '<code-block>count("きょく"); f(き)</code-block>' });
    expect(parts.map(([text]) => text)).toEqual(['count("', "きょく", '"); f(', "き", ")"]);
    expect(new Set(parts.map(([, family]) => family)).size).toBe(2);
  });

  it("gives only the amount to a companion that has the currency sign", async () => {
    expect(await partsOf({ html: "Price ₹1,200 only" })).toEqual([
      ["Price", "Instrument Serif"],
      ["₹1,200", "EB Garamond"],
      ["only", "Instrument Serif"],
    ]);
  });

  it("is not split by an element within a word", async () => {
    expect(await partsOf({ html: "Nguy<b>ễn</b>" })).toEqual([
      ["Nguy", "EB Garamond"],
      ["ễn", "EB Garamond"],
    ]);
  });
});

describe("A script beside a serif design", () => {
  it.each([
    ["ar", "الكتب", "Noto Naskh Arabic"],
    ["ur", "کتابیں", "Noto Nastaliq Urdu"],
    ["he", "שלום", "Frank Ruhl Libre"],
    ["hi", "नमस्ते", "Noto Serif Devanagari"],
    ["th", "สวัสดี", "Noto Serif Thai"],
    ["ja", "春はあけぼの", "Noto Serif JP"],
    ["ko", "안녕하세요", "NanumMyeongjo"],
    ["zh-Hans", "学而时习", "Noto Serif SC"],
    ["zh-Hant", "學而時習", "Noto Serif TC"],
    ["ka", "ნინო", "Noto Serif Georgian"],
    ["bo", "བཀྲ་ཤིས", "Noto Serif Tibetan"],
  ])("has serifs in %s", async (lang, html, companion) => {
    expect(await partsOf({ lang, html })).toEqual([[html, companion]]);
  });
});

describe("Digits in a text of a right-to-left script", () => {
  it.each([
    ["ar", "أمسية العود رقم 12 في عمّان", "Noto Naskh Arabic"],
    ["ar", "26 سبتمبر 2026", "Noto Naskh Arabic"],
    ["he", "ערב שירה מספר 12", "Frank Ruhl Libre"],
  ])("are drawn by its face in %s", async (lang, html, companion) => {
    expect(await partsOf({ lang, html })).toEqual([[html, companion]]);
  });

  it("stay with Latin words beside them", async () => {
    expect(await partsOf({ lang: "ar", html: "مؤتمر Platen 2026 مؤتمر" })).toEqual([
      ["مؤتمر", "Noto Naskh Arabic"],
      ["Platen 2026", "Instrument Serif"],
      ["مؤتمر", "Noto Naskh Arabic"],
    ]);
  });
});

describe("Han characters", () => {
  it.each([
    ["ja", "Noto Serif JP"],
    ["zh-Hans", "Noto Serif SC"],
    ["zh-TW", "Noto Serif TC"],
    ["ko", "Noto Sans KR"],
  ])("have the forms of the language %s", async (lang, companion) => {
    expect(await partsOf({ lang, html: "直骨海" })).toEqual([["直骨海", companion]]);
  });

  it("are drawn by one face, the first that has all of them", async () => {
    expect(await partsOf({ lang: "ja", html: "们在这里" })).toEqual([["们在这里", "Noto Serif SC"]]);
  });

  it("take quotes, dashes and ellipses along, and leave Latin words and digits to the design", async () => {
    expect(await partsOf({ lang: "zh-Hans", html: "“你好”——他说……Platen’s 2026年" })).toEqual([
      ["“你好”——他说……", "Noto Serif SC"],
      ["Platen’s 2026", "Instrument Serif"],
      ["年", "Noto Serif SC"],
    ]);
  });
});

describe("Japanese brackets around a time", () => {
  it("are drawn by the face of the Japanese text", async () => {
    expect(await partsOf({ lang: "ja", html: "今夜「18:30」開演" })).toEqual([
      ["今夜「", "Noto Serif JP"],
      ["18:30", "Instrument Serif"],
      ["」開演", "Noto Serif JP"],
    ]);
  });
});

describe("A companion", () => {
  it("leaves lines as high as they are in the design", async () => {
    const { height } = await read({ html: "plain" });
    for (const html of ["Москва", "plain Москва", "مرحبا", "สวัสดี", "plain 春はあけぼの"])
      expect((await read({ html, style: "p{line-height:normal}" })).height, html).toBe(
        (await read({ html: "plain", style: "p{line-height:normal}" })).height,
      );
    expect((await read({ html: "plain Москва" })).height).toBe(height);
  });

  it("does not split the text of a flex container into several items", async () => {
    const style = "p{display:flex;flex-direction:column}";
    expect((await read({ html: "plain Москва plain", style })).height).toBe((await read({ html: "plain" })).height);
  });

  it("is drawn by the bundled face, scaled to the size of the design", async () => {
    const width = (family: string, size: string) => `<text-face style='font:${size} ${family}'>Москва</text-face>`;
    const faces = buildFaceTable({ fonts: SERIFS, glyphs: undefined, text: "Москва" });
    const html = `<!doctype html><meta charset="utf-8"><style>${faces?.rules}</style>${width(`"Instrument Serif + EB Garamond"`, "100px")}${width(`"EB Garamond"`, "119.14px")}`;
    const measure = `Array.from(document.querySelectorAll("text-face"), (face) => face.getBoundingClientRect().width)`;
    const { measured } = await renderPicture({ html, width: 2_000, height: 300, measure });
    const [paired, plain] = measured as [number, number];
    expect(paired).toBeGreaterThan(300);
    expect(Math.abs(paired / plain - 1)).toBeLessThan(0.01);
  });
});

describe("A document whose families have every character", () => {
  it.each(["plain", "Crème brûlée", "🌍 ✔ →", "a\u00adb\u200bc"])("needs no companions: %s", (text) => {
    expect(buildFaceTable({ fonts: SERIFS, glyphs: undefined, text })).toBeUndefined();
  });
});
