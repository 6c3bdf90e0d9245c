import { readFileSync } from "node:fs";
import * as fontkit from "fontkit";
import { describe, expect, it } from "vitest";
import { trueTypeOf } from "#lib/fonts/woff.ts";

const FILE = "node_modules/@fontsource/noto-sans-nko/files/noto-sans-nko-nko-400-normal.woff";

describe("A WOFF file", () => {
  it("becomes a TrueType file with the same characters and outlines", () => {
    const woff = readFileSync(FILE);
    const trueType = trueTypeOf(woff);
    expect(trueType.readUInt32BE(0)).toBe(0x00010000);
    const [before, after] = [woff, trueType].map((bytes) => fontkit.create(bytes) as fontkit.Font);
    expect(after?.characterSet).toEqual(before?.characterSet);
    const outline = (font: fontkit.Font | undefined) => font?.glyphForCodePoint(0x7ca).path.toSVG();
    expect(outline(after)).toBe(outline(before));
    expect(outline(after)?.length).toBeGreaterThan(20);
  });

  it("is told from other files", () => {
    expect(() => trueTypeOf(Buffer.from("OTTO and something else"))).toThrow("want WOFF");
  });
});
