import { afterAll, beforeAll, expect, it } from "vitest";
import { type Captures, examinePage } from "#lib/proof/page/examine.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import type { DrawnPage } from "#lib/render/render-job.ts";
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

/** How often the page is asked where a piece of text stands, and how many elements of ours it has in the end. */
async function work(body: string): Promise<{ reads: number; elements: number }> {
  const html = `<!doctype html><meta charset="utf-8"><body style="font:8px 'Noto Sans'">${body}`;
  let counted: unknown;
  const examine = async (page: DrawnPage) => {
    await page.evaluate(`(() => {
      document.reads = 0;
      const read = Range.prototype.getBoundingClientRect;
      Range.prototype.getBoundingClientRect = function () {
        document.reads++;
        return read.call(this);
      };
    })()`);
    const captures = await examinePage(page);
    counted = await page.evaluate(
      `({ reads: document.reads, elements: document.querySelectorAll("[data-proof-unit],[data-proof-word]").length })`,
    );
    return captures;
  };
  await renderPicture({ html, width: 600, height: 600, examine });
  return counted as { reads: number; elements: number };
}

it("reads each letter of a page once, and twice where anything is turned", async () => {
  const text = `<p>${"x".repeat(100)}</p>`;
  expect((await work(text)).reads).toBe(100);
  expect((await work(`${text}<div style="rotate:9deg">y</div>`)).reads).toBe(202);
});

it("puts only the pieces that it asks for into elements of their own", async () => {
  expect((await work(`<p>${"<b>x</b><i>y</i>".repeat(WORDS)}</p>`)).elements).toBeLessThan(300);
});

it("refuses a page of more than 50,000 characters, which a browser would have no memory to read", async () => {
  const cells = (count: number) => "<p>0123456789</p>".repeat(count / 10);
  await expect(examinedHtml(`${cells(50_000)}<p>1</p>`)).rejects.toMatchObject({
    code: "invalid_data",
    message: expect.stringMatching(/^Got 50,001 characters .*, want at most 50,000 /),
  });
  const hidden = await examinedHtml(`<p>x</p><div style="visibility:hidden">${cells(50_000)}</div>`);
  expect(hidden.told).toEqual([]);
});

it("does not count the spaces between the elements of a page, which its picture does not show", async () => {
  const { told } = await examinedHtml(`<div><p>x</p>${" ".repeat(60_000)}<p>y</p></div>`);
  expect(told).toEqual([]);
});
