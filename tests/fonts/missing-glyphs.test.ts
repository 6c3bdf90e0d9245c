import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import { EMOJI_RULE, fontStack } from "#lib/fonts/generic-families.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";

afterAll(() => shutDown());

const CELL_PX = 32;
const CELLS_A_ROW = 64;

/** A character that Unicode will never assign, to compare with a missing glyph. */
const NO_CHARACTER = "\u{10fffd}";

/** Every 29th character of Unicode is tested, which includes some of every block. */
const STEP = 29;

/** Characters that are drawn, by their Unicode properties. */
const DRAWN = /^[^\p{C}\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;

/** Finds the characters that Chromium draws like one that no font has. */
async function drawnAsMissing(characters: string[]): Promise<string[]> {
  const all = [NO_CHARACTER, ...characters];
  const [width, height] = [CELLS_A_ROW * CELL_PX, Math.ceil(all.length / CELLS_A_ROW) * CELL_PX];
  const style = `${EMOJI_RULE}body{margin:0;width:${width}px}i{float:left;width:${CELL_PX}px;height:${CELL_PX}px;overflow:hidden;font:400 20px/${CELL_PX}px ${fontStack("sans-serif")};text-align:center}`;
  const cells = all.map((character) => `<i>&#${character.codePointAt(0)};</i>`).join("");
  const { png } = await renderPicture({ html: `<!doctype html><style>${style}</style>${cells}`, width, height });
  const picture = await sharp(png).greyscale().raw().toBuffer();
  const cellOf = (index: number) => {
    const [left, top] = [(index % CELLS_A_ROW) * CELL_PX, Math.floor(index / CELLS_A_ROW) * CELL_PX];
    const rows = Array.from({ length: CELL_PX }, (_, row) => (top + row) * width + left);
    return Buffer.concat(rows.map((start) => picture.subarray(start, start + CELL_PX)));
  };
  const missing = cellOf(0);
  return characters.filter((_, index) => cellOf(index + 1).equals(missing));
}

describe("missing glyphs", () => {
  it("are exactly those that Chromium draws as an empty box, all over Unicode", async () => {
    const points = Array.from({ length: Math.ceil(0x40000 / STEP) }, (_, index) => index * STEP);
    const characters = points.map((point) => String.fromCodePoint(point)).filter((text) => DRAWN.test(text));
    const missing = await drawnAsMissing(characters);
    expect(missing.length).toBeGreaterThan(100);
    expect(missing.length).toBeLessThan(characters.length);
    expect(characters.filter((character) => missingGlyphs(character).length > 0)).toEqual(missing);
  });

  it("include the spaces and invisible characters that Chromium draws as an empty box", async () => {
    const points = Array.from({ length: 0xe1000 - 0x80 }, (_, index) => index + 0x80);
    const characters = points
      .map((point) => String.fromCodePoint(point))
      .filter((text) => /^(?=\p{Assigned})(?!\p{Cc})[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u.test(text));
    const missing = await drawnAsMissing(characters);
    expect(missing).toContain("\u1680");
    expect(characters.filter((character) => missingGlyphs(character).length > 0)).toEqual(missing);
  });

  it("are reported once each, in the order of the text", () => {
    expect(missingGlyphs("a\u{10380}b\u{13000}c\u{10380}")).toEqual(["\u{10380}", "\u{13000}"]);
  });

  it("do not include characters that only affect others", () => {
    for (const text of [
      "❤️",
      "👩‍👩‍👧‍👦",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      "👍🏽",
      "می‌خواهم",
      "co­op",
      "葛󠄀",
      "x\u2028y\u3000z\u2009\u00a0",
      "1\u20e3",
      "non\u2011breaking",
    ])
      expect(missingGlyphs(text), text).toEqual([]);
  });

  it("do not include characters whose parts have glyphs", () => {
    expect(missingGlyphs("\u{2f800}\uf900q̇́")).toEqual([]);
  });

  it("do not include characters of a template's own font", () => {
    expect(missingGlyphs("\ue000\ue001\ue002", [0xe000, 0xe001])).toEqual(["\ue002"]);
  });
});
