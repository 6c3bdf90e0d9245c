import { wcagContrast } from "culori";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillLiquid, parseLiquid } from "#lib/templates/liquid.ts";
import { composeOver, distinctFrom, inkOn, readableOn, tintOn } from "#lib/type/contrast/colors.ts";

/** Any hex colour, opaque or translucent. */
const anyColor = fc
  .tuple(fc.integer({ min: 0, max: 0xffffff }), fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }))
  .map(([rgb, alpha]) => {
    const digits = rgb.toString(16).padStart(6, "0");
    return `#${digits}${alpha === undefined ? "" : alpha.toString(16).padStart(2, "0")}`;
  });

const OPAQUE = /^#[0-9a-f]{6}$/;

describe("a translucent colour", () => {
  test("is drawn on its ground, which is drawn on white", () => {
    expect(composeOver("#06507f20")).toBe("#e0e9ef");
    expect(composeOver("#0000", "#123456")).toBe("#123456");
    expect(composeOver("#ffffff80", "#00000080")).toBe(composeOver("#ffffff80", "#7f7f7f"));
  });

  test("gets the ink of the colour that is seen", () => {
    expect([inkOn("#06507f"), inkOn("#06507f20"), inkOn("#0000"), inkOn("#777"), inkOn("#808080")]).toEqual([
      "#ffffff",
      "#000000",
      "#000000",
      "#000000",
      "#000000",
    ]);
  });
});

describe("on any ground", () => {
  test("black or white is readable", () => {
    fc.assert(
      fc.property(anyColor, (ground) => wcagContrast(inkOn(ground), composeOver(ground)) >= 4.5),
      { numRuns: 500 },
    );
  });

  test("a colour is made readable, and a readable one stays as it is", () => {
    fc.assert(
      fc.property(anyColor, anyColor, fc.double({ min: 1, max: 4.5, noNaN: true }), (color, ground, ratio) => {
        const paper = composeOver(ground);
        const opaque = composeOver(color, paper);
        const readable = readableOn(color, ground, ratio);
        expect(readable).toMatch(OPAQUE);
        expect(wcagContrast(readable, paper)).toBeGreaterThanOrEqual(ratio);
        if (wcagContrast(opaque, paper) >= ratio) expect(readable).toBe(opaque);
      }),
      { numRuns: 300 },
    );
  });

  test("a tint behind text leaves the text readable, and is seen", () => {
    fc.assert(
      fc.property(anyColor, anyColor, fc.integer({ min: 0, max: 100 }), (color, ground, percent) => {
        const tint = tintOn(color, ground, percent);
        expect(wcagContrast(tint, inkOn(ground))).toBeGreaterThanOrEqual(4.5);
        expect(tint).not.toBe(composeOver(ground));
      }),
      { numRuns: 300 },
    );
  });

  test("a distinct colour differs from it", () => {
    fc.assert(
      fc.property(anyColor, anyColor, (color, ground) => {
        expect(distinctFrom(color, ground)).not.toBe(composeOver(ground));
      }),
    );
    for (const equal of ["#000000", "#ffffff", "#808080", "#ffdd00"]) {
      expect(wcagContrast(distinctFrom(equal, equal), equal)).toBeGreaterThan(1.1);
    }
  });
});

test("a contrast that no colour reaches gives black or white", () => {
  expect(readableOn("#3366cc", "#808080", 15)).toBe("#000000");
});

test("a readable colour keeps its hue", () => {
  expect(readableOn("#d92a1c", "#f6c4cc")).toMatch(/^#[a-f].(?:[0-3].){2}$/);
});

test("a tint that would come too close to the ink goes the other way", () => {
  const [light, mid] = [tintOn("#16181d", "#d6f04a", 24), tintOn("#16181d", "#808080", 24)];
  expect(wcagContrast(light, "#000000")).toBeLessThan(wcagContrast("#d6f04a", "#000000"));
  expect(wcagContrast(mid, "#000000")).toBeGreaterThan(wcagContrast("#808080", "#000000"));
});

describe("the filters of a template", () => {
  const write = (source: string) =>
    fillLiquid(parseLiquid(source), { paper: "#06507f20", accent: "#06507f", nothing: null }).html;

  test.each([
    ["{{ paper | ink }}", "#000000"],
    ["{{ accent | ink }}", "#ffffff"],
    ["{{ paper | over: accent }}", "#06507f"],
    ["{{ paper | over: nothing }}", "#e0e9ef"],
    ["{{ accent | readable_on: paper, 4.5 }}", "#06507f"],
    ["{{ accent | readable_on: accent, 21 }}", "#ffffff"],
    ["{{ accent | distinct_from: paper }}", "#06507f"],
    ["{{ paper | distinct_from: paper, 50 }}", "#56656f"],
    ["{{ accent | tint_on: paper, 0 }}", "#cfd8de"],
    ['{{ nothing | ink | default: "none" }}', "none"],
  ])("%s writes %s", (source, wanted) => {
    expect(write(source)).toBe(wanted);
  });

  test("say what is wrong with their arguments", () => {
    expect(() => write('{{ "red; x" | ink }}')).toThrow('Got the colour "red; x", want a hex colour such as #1d4ed8.');
    expect(() => write("{{ accent | readable_on: paper, 30 }}")).toThrow("Got 30 for readable_on, want a number");
    expect(() => write("{{ accent | distinct_from: paper, 51 }}")).toThrow("Got 51 for distinct_from, want a number");
    expect(() => write("{{ accent | tint_on: paper }}")).toThrow("Got nothing for tint_on, want a number");
  });
});
