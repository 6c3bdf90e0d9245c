import { describe, expect, it } from "vitest";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import { hasRtl } from "#lib/type/text/bidi.ts";
import { findStandIns, MAX_MISSING_CHARACTERS } from "#lib/type/text/stand-ins.ts";

const characters = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(first + index));

/** No font has these: Anatolian hieroglyphs, and characters that are not assigned. */
const HIEROGLYPHS = characters(0x14400, 580);
const UNASSIGNED = characters(0x90000, 1_000);

describe("stand-ins for characters without a glyph", () => {
  it("are needed beyond a number of different ones, in all texts together", () => {
    const few = HIEROGLYPHS.slice(0, MAX_MISSING_CHARACTERS);
    expect(findStandIns([few.join(""), few.toReversed().join(""), "Hello 漢字"])).toEqual(new Map());
    const [next = ""] = HIEROGLYPHS.slice(MAX_MISSING_CHARACTERS);
    expect(findStandIns([few.join(""), next])).toEqual(new Map([[next, few[0]]]));
  });

  it("leave few different ones", () => {
    const all = [...HIEROGLYPHS, ...UNASSIGNED];
    const standIns = findStandIns([all.join("")]);
    const left = new Set(all.map((character) => standIns.get(character) ?? character));
    expect(left.size).toBeLessThanOrEqual(MAX_MISSING_CHARACTERS + 1);
  });

  it("are laid out like the original, and stand for no character that a font has", () => {
    const texts = characters(0x300, 0x30000).filter((character) => !/[\p{C}\p{Z}]/u.test(character));
    const all = texts.join("");
    const missing = new Set(missingGlyphs(all));
    const standIns = findStandIns([all]);
    const unlike = [...standIns].filter(([original, standIn]) => {
      const facts = [original, standIn].map((each) =>
        [missing.has(each), hasRtl(each), /\p{M}/u.test(each), /\p{Ideographic}/u.test(each), each.length].join(),
      );
      return !missing.has(original) || facts[0] !== facts[1];
    });
    expect(unlike).toEqual([]);
    expect(standIns.size).toBeGreaterThan(missing.size - 100);
  });
});
