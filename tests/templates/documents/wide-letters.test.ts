import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { Explanation } from "#lib/schemas/explanation.ts";
import { emsOf } from "#lib/templates/drawings/chart-style.ts";
import { send } from "#tests/app/client.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { prepareTemplates } from "../shipped.ts";

beforeAll(async () => {
  await prepareMachine();
  await prepareTemplates();
});
afterAll(shutDown);

async function explain(text: string): Promise<Explanation> {
  const json = { template: "dev/code", data: { snippet: { text, language: "text" } } };
  return Explanation.parse(await (await send("POST", "images/explain", { json })).json());
}

/** Where `data/wrapped` has the names below its bars. */
const NAMES = { left: 0, top: 905, width: 1_080, height: 40 };

/** How many words stand there, with at least 8 px between two. Letters have less between them. */
async function countWords(months: object[]): Promise<number> {
  const { png } = await renderTemplate({ template: "data/wrapped", data: { months } });
  const pixels = await sharp(png).extract(NAMES).greyscale().raw().toBuffer();
  const isInk = Array.from({ length: NAMES.width }, (_, x) =>
    Array.from({ length: NAMES.height }, (_, y) => pixels[y * NAMES.width + x] ?? 0).some((grey) => grey < 90),
  );
  const row = isInk.map((is) => (is ? "#" : " ")).join("");
  return row.trim().split(/ {8,}/).length;
}

// Article 1 of the Universal Declaration of Human Rights, without its stops.
const ARTICLES = {
  Burmese: "လူတိုင်းသည်တူညီလွတ်လပ်သောဂုဏ်သိက္ခာဖြင့်လည်းကောင်းတူညီလွတ်လပ်သောအခွင့်အရေးများဖြင့်လည်းကောင်းမွေးဖွားလာသူများဖြစ်သည်",
  Malayalam:
    "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചവരാണ് അന്യോന്യം ഭ്രാതൃഭാവത്തോടെ പെരുമാറുവാനാണ് മനുഷ്യന് വിവേകബുദ്ധിയും മനഃസാക്ഷിയും സിദ്ധമായിരിക്കുന്നത്",
  Tamil:
    "எல்லா மனிதர்களும் சுதந்திரமாகவே பிறக்கின்றனர் மேலும் மதிப்பிலும் உரிமைகளிலும் அவர்கள் சமமானவர்கள் அவர்கள் நியாயத்தையும் மனசாட்சியையும் இயற்பண்பாகப் பெற்றவர்கள்",
};

test.each(Object.entries(ARTICLES))("a comment in %s is drawn whole", async (_, article) => {
  const { faults } = await explain(`// ${article}`);
  expect(faults).toEqual([]);
});

test("no row of code begins with a vowel of the letter before it", async () => {
  const rows = await Promise.all(
    ["", "က", "ကက"].map(async (start) => (await explain(`${start}${"က္ခာ".repeat(90)}`)).texts),
  );
  const lines = rows.flat().flatMap((text) => text.lines);
  expect(lines.filter((line) => line.includes("ာ")).length).toBeGreaterThan(6);
  expect(lines.filter((line) => /^\p{M}/u.test(line))).toEqual([]);
});

test.each(["⟺", "⣿"])("rows of %s have its width, and need not become smaller", async (sign) => {
  const { faults, texts } = await explain(sign.repeat(110));
  expect(faults).toEqual([]);
  const sizes = texts.flatMap(({ lines, fontSize }) => (lines.join("").includes(sign) ? [fontSize] : []));
  expect(new Set(sizes).size).toBe(1);
});

test.each(["Ⅷ", "ﬃ"])(
  "rows of %s, which is wider than is estimated, become smaller and are drawn whole",
  async (sign) => {
    const { faults, texts } = await explain(sign.repeat(110));
    expect(faults).toEqual([]);
    const sizes = texts.flatMap(({ lines, fontSize }) => (lines.join("").includes(sign) ? [fontSize] : []));
    expect(Math.max(...sizes)).toBeGreaterThan(8);
  },
);

test.each(Object.entries(ARTICLES))("a text in %s is no wider than a chart takes it for", async (_, article) => {
  const { texts } = await explain(article.slice(0, 24));
  const text = texts.find(({ lines }) => lines.join("").includes(article.slice(0, 8)));
  if (!text?.ink) throw new Error("The text is not drawn.");
  expect((text.ink.right - text.ink.left) / text.fontSize).toBeLessThan(emsOf(article.slice(0, 24)));
});

test.each([
  ["HAMBURG", "DORTMUND", "ROSTOCK", "GÖRLITZ", "BOCHUM", "COTTBUS", "DRESDEN", "AUGSBURG"],
  ["ПОЛЬША", "ЯПОНИЯ", "МАЛЬДИВЫ", "ФИДЖИ", "ГВИАНА", "ОМАН", "ЙОРДАНИЯ", "ШОТЛАНД"],
])("names in capitals do not run into each other below bars: %s, %s, …", async (...names) => {
  const months = names.map((label, index) => ({ label, value: 10 + index }));
  expect(await countWords(months)).toBe(names.length);
});
