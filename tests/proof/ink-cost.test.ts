import { afterEach, expect, it, vi } from "vitest";
import { InkDisplay } from "#lib/proof/page/ink-display.ts";
import type { Glyph } from "#lib/proof/page/text-unit.ts";
import type { FoundUnit } from "#lib/proof/page/unit-reader.ts";

type Range = { startContainer: object; startOffset: number; endOffset: number };

/** The objects of a browser that the display fills. @returns the ranges of each highlight */
function stubHighlights(): Map<string, Set<Range>> {
  const shown = new Map<string, Set<Range>>();
  vi.stubGlobal("Highlight", Set);
  vi.stubGlobal("CSS", { highlights: shown });
  vi.stubGlobal(
    "StaticRange",
    class {
      constructor(range: Range) {
        Object.assign(this, range);
      }
    },
  );
  vi.stubGlobal("document", { createElement: () => ({}) });
  return shown;
}

afterEach(() => vi.unstubAllGlobals());

const LINES = 20;
const LINE_LENGTH = 100;
const BOX = { left: 0, top: 0, right: 1, bottom: 1 };

/** A text whose pieces have one character each, as one in many scripts has. It counts how often its glyphs are looked at. */
function manyPieces(): { found: FoundUnit; looks: () => number } {
  let looks = 0;
  const glyphs = Array.from(
    { length: LINES * LINE_LENGTH },
    (_, at): Glyph => ({
      get at() {
        looks++;
        return at;
      },
      text: "x",
      box: BOX,
      get line() {
        looks++;
        return Math.floor(at / LINE_LENGTH);
      },
    }),
  );
  const pieces = glyphs.map((_, start) => ({ node: { data: "x" }, start }));
  return { found: { unit: { id: 0, glyphs }, pieces } as unknown as FoundUnit, looks: () => looks };
}

it("colours every piece of a line, and looks at each glyph a few times for each line", () => {
  const shown = stubHighlights();
  const { found, looks } = manyPieces();
  new InkDisplay([found]).showInk(Array.from({ length: LINES }, (_, line) => ({ unit: 0, line, channel: 0 })));
  expect(looks()).toBeLessThanOrEqual(2 * LINES * LINES * LINE_LENGTH);
  const ranges = [...(shown.get("ink0") ?? [])];
  expect(ranges).toHaveLength(LINES * LINE_LENGTH);
  expect(new Set(ranges.map(({ startContainer }) => startContainer)).size).toBe(LINES * LINE_LENGTH);
  expect(ranges.every(({ startOffset, endOffset }) => startOffset === 0 && endOffset === 1)).toBe(true);
});
