import { describe, expect, it } from "vitest";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import { findReplaced, MAX_MISSING_CHARACTERS, STAND_IN } from "#lib/type/text/stand-ins.ts";

/** Characters that no font has: Anatolian hieroglyphs. */
const hieroglyphs = (count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x14400 + index));

describe("characters without a glyph are replaced by boxes", () => {
  it("where a document has many of them, in all of its texts together", () => {
    const few = hieroglyphs(MAX_MISSING_CHARACTERS);
    expect(findReplaced([few.join(""), "Hello 漢字"])).toEqual(new Set());
    expect(findReplaced([few.join(""), `Hello ${few[0]}`])).toEqual(new Set(few));
  });

  it("also where it is one character again and again", () => {
    const [one = ""] = hieroglyphs(1);
    expect(findReplaced([`a${one}`.repeat(MAX_MISSING_CHARACTERS)])).toEqual(new Set());
    expect(findReplaced([`a${one}`.repeat(MAX_MISSING_CHARACTERS + 1)])).toEqual(new Set([one]));
  });

  it("that a font has", () => expect(missingGlyphs(STAND_IN)).toEqual([]));
});
