import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fontStack } from "#lib/fonts/generic-families.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { assignFacesExpression } from "#lib/type/faces/assign-faces.ts";
import type { DocumentFonts } from "#lib/type/faces/document-fonts.ts";
import { buildFaceTable } from "#lib/type/faces/face-table.ts";
import { measureExpression } from "#lib/type/fit/fit-text.ts";
import { prepareMachine } from "#tests/render/rig.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

const FONTS: DocumentFonts = { lists: [["Fraunces", "serif"]], own: {} };

/** What the code in the page reads of texts, in characters, and how many nodes it copies from list to list. */
type Read = { normalized: number; contents: number; copied: number };

/** Runs code in the page and counts what it reads. */
const counting = (code: string) => `(() => {
  const read = { normalized: 0, contents: 0, copied: 0 };
  const { normalize } = String.prototype;
  const iterate = Array.prototype[Symbol.iterator];
  const textContent = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
  String.prototype.normalize = function (form) {
    read.normalized += this.length;
    return normalize.call(this, form);
  };
  Array.prototype[Symbol.iterator] = function () {
    if (this[0] instanceof Text) read.copied += this.length;
    return iterate.call(this);
  };
  const get = function () {
    const text = textContent.get.call(this);
    read.contents += text?.length ?? 0;
    return text;
  };
  Object.defineProperty(Node.prototype, "textContent", { ...textContent, get });
  ${code};
  String.prototype.normalize = normalize;
  Array.prototype[Symbol.iterator] = iterate;
  Object.defineProperty(Node.prototype, "textContent", textContent);
  return read;
})()`;

async function read(body: string): Promise<Read & { length: number }> {
  const faces = buildFaceTable({ fonts: FONTS, glyphs: undefined, text: body }) ?? expect.fail("no table");
  const css = `p{font:20px/1 "Fraunces",${fontStack("serif")}}${faces.rules}`;
  const measure = counting(`${assignFacesExpression(faces.table)}; ${measureExpression({})}`);
  const html = `<!doctype html><html lang=""><meta charset="utf-8"><style>${css}</style><body>${body}`;
  const { measured } = await renderPicture({ html, width: 600, height: 400, measure });
  return { ...(measured as Read), length: body.replaceAll(/<[^>]*>/g, "").length };
}

describe("the code in the page reads a paragraph a few times, however many parts it has", () => {
  it.each([
    { what: "words of one script", part: "<em>ж</em> " },
    { what: "parts without spaces", part: "<em>ж</em>" },
    { what: "scripts that alternate", part: "<em>ж</em><em>א</em>" },
    { what: "lines", part: "<em>ж</em><br>" },
  ])("of $what", async ({ part }) => {
    const { length, normalized, contents, copied } = await read(`<p>${part.repeat(1_000)}</p>`);
    // What grows with the pairs of parts is read 1,000 times.
    expect(normalized / length).toBeLessThan(50);
    expect(contents / length).toBeLessThan(50);
    expect(copied / length).toBeLessThan(50);
  });
});
