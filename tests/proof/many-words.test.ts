import { afterAll, beforeAll, expect, it } from "vitest";
import { type Captures, examinePage } from "#lib/proof/page/examine.ts";
import type { DrawnPage } from "#lib/render/chromium/page.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";

beforeAll(prepareMachine);
afterAll(shutDown);

const WORDS = 600;

/** Different words whose last letters no Latin face of the test has. */
const word = (index: number) => `é${String.fromCodePoint(0x4e00 + index)}${String.fromCodePoint(0x5000 + index)}`;

/** The words of a page whose faces were told, and how often the browser was asked for faces. */
async function examined(words: string[]): Promise<{ told: string[]; asked: number }> {
  return await examinedHtml(`<p>${words.join(" ")}</p>`);
}

async function examinedHtml(body: string): Promise<{ told: string[]; asked: number }> {
  const html = `<!doctype html><meta charset="utf-8"><body style="font:8px 'Noto Sans'">${body}`;
  let asked = 0;
  const examine = async (page: DrawnPage) => {
    const send: DrawnPage["send"] = async (method, params) => {
      if (method === "CSS.getPlatformFontsForNode") asked++;
      return await page.send(method, params);
    };
    return await examinePage({ ...page, send });
  };
  const picture = await renderPicture({ html, width: 600, height: 600, examine });
  return { told: (picture.examined as Captures).faces.words.map(({ text }) => text), asked };
}

it("asks for the faces of a few hundred words of a page at most, because the browser takes milliseconds for each", async () => {
  const { told, asked } = await examined(Array.from({ length: WORDS }, (_, index) => word(index)));
  expect(told.length).toBeGreaterThan(100);
  expect(asked).toBeLessThan(300);
});

it("asks once for a word that a text has many times", async () => {
  const { told } = await examined(Array.from({ length: WORDS }, () => "é漢"));
  expect(new Set(told).size).toBe(told.length);
});

it("asks for the faces of a few hundred pieces of a text at most, and for those of every text", async () => {
  const pieces = await examinedHtml(`<p>${"<b>x</b><i>y</i>".repeat(WORDS)}</p>`);
  expect(pieces.asked).toBeLessThan(300);
  const texts = await examinedHtml("<p>x</p>".repeat(WORDS));
  expect(texts.asked).toBeGreaterThanOrEqual(WORDS);
});
