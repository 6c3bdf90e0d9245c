import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import { EMOJI_RULE, fontStack } from "#lib/fonts/families.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";

afterAll(() => shutDown());

const CELL_PX = 32;
const CELLS_A_ROW = 64;

/** What a character that no font has looks like: one that Unicode will never assign. */
const NO_CHARACTER = "\u{10fffd}";

/** Every so many characters of Unicode, which is enough for every block to have some. */
const STEP = 29;

/** Without those that draw nothing, which are told apart by what Unicode says of them. */
const DRAWN = /^[^\p{C}\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;

/** Which of these characters Chromium draws as it draws one that no font has. */
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

describe("the characters that no font has", () => {
  it("are those that Chromium draws as an empty box, all over Unicode", async () => {
    const points = Array.from({ length: Math.ceil(0x40000 / STEP) }, (_, index) => index * STEP);
    const characters = points.map((point) => String.fromCodePoint(point)).filter((text) => DRAWN.test(text));
    const missing = await drawnAsMissing(characters);
    expect(missing.length).toBeGreaterThan(100);
    expect(missing.length).toBeLessThan(characters.length);
    expect(characters.filter((character) => missingGlyphs(character).length > 0)).toEqual(missing);
  });

  it("are named once each, in the order of the text", () => {
    expect(missingGlyphs("a\u{10380}b\u{13000}c\u{10380}")).toEqual(["\u{10380}", "\u{13000}"]);
  });

  it("are none in what only changes how others are drawn", () => {
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

  it("are none where the parts of a character are there", () => {
    expect(missingGlyphs("\u{2f800}\uf900q̇́")).toEqual([]);
  });

  it("are not those of a font that the template brings", () => {
    expect(missingGlyphs("\ue000\ue001\ue002", [0xe000, 0xe001])).toEqual(["\ue002"]);
  });
});
