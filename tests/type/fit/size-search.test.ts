import { describe, expect, test } from "vitest";
import type { Fit } from "#lib/type/fit/fit-rule.ts";
import { LinePlacing } from "#lib/type/fit/line-placing.ts";
import type { Atom } from "#lib/type/fit/lines/atom.ts";
import { type Line, PARAGRAPH_COSTS, Paragraph } from "#lib/type/fit/lines/paragraph.ts";
import { LineQuality, SizeSearch } from "#lib/type/fit/size-search.ts";
import { TextCut } from "#lib/type/fit/text-cut.ts";
import type { TextStyle } from "#lib/type/fit/text-style.ts";
import { letters } from "./letters.ts";
import { STYLE } from "./text-style.ts";

const paragraphOf = (atoms: Atom[]) => new Paragraph(atoms, PARAGRAPH_COSTS);
const placing = new LinePlacing();
const tools = { ending: new TextCut(paragraphOf), quality: new LineQuality() };
const search = new SizeSearch(placing, tools);

const SHRINK: Fit = { mode: "shrink", minSize: 20, maxLines: 3, priority: 0 };

type Trial = { width?: number; height?: number; rule?: Partial<Fit>; style?: Partial<TextStyle>; ink?: typeof MARKS };

const MARKS = { ascent: 1.1, descent: 0.4, isStacked: true };

function fitText(text: string, { width = 1_000, height = Number.POSITIVE_INFINITY, rule, style, ink }: Trial = {}) {
  const task = { style: { ...STYLE, ...style }, room: { width, height }, rule: { ...SHRINK, ...rule } };
  return search.solve({ ...task, paragraph: paragraphOf(letters(text, ink)) });
}

describe("the size of a text", () => {
  test("is the designed one where the text has room", () => {
    expect(fitText("aaaa bbbb")).toMatchObject({ size: 100, leading: 100, height: 100, why: "designed" });
  });

  test("is the largest at which the longest word has room", () => {
    expect(fitText("aaaa bbbbbbbbbb", { width: 500 })).toMatchObject({ size: 50, why: "width" });
  });

  test("is the largest at which the lines have room", () => {
    expect(fitText("aaa bbb ccc ddd", { width: 300, height: 60 })).toMatchObject({ size: 30.25, why: "height" });
  });

  test("is the largest with the allowed number of lines", () => {
    expect(fitText("aaa bbb ccc ddd", { width: 300, rule: { maxLines: 2 } })).toMatchObject({
      size: 42.75,
      why: "lines",
    });
  });

  test("stays the same for clamp, which cuts instead", () => {
    const fitted = fitText("aaaa bbbb cccc", { width: 500, rule: { mode: "clamp", maxLines: 2 } });
    expect(fitted).toMatchObject({ size: 100, shown: 9 });
  });

  test("does not depend on how often it is asked", () => {
    const once = fitText("aaaa bb ccccc dd e ffff", { width: 430, height: 200 });
    expect(fitText("aaaa bb ccccc dd e ffff", { width: 430, height: 200 })).toEqual(once);
  });
});

describe("a smaller size with better lines", () => {
  const FILL = { mode: "fill", maxLines: 9 } as const;

  test("is taken where the largest leaves single words in the lines", () => {
    const { size, lines } = fitText("aaaaaaaaaa bbb cccc ddd eeee", { width: 1_000, height: 500, rule: FILL });
    expect(size).toBeGreaterThan(76);
    expect(lines).toHaveLength(3);
  });

  test("is taken where it keeps the lines of the author", () => {
    const { lines } = fitText("aaaa bbb\ncc dddd ee\nffff", {
      width: 880,
      height: 600,
      rule: FILL,
      style: { from: 110 },
    });
    expect(lines).toHaveLength(3);
  });

  test("is at most a tenth smaller than the designed one, and says why", () => {
    const text = "aaaaaa bb cccccc ddd";
    expect(fitText(text, { width: 940 })).toMatchObject({ size: 94, why: "breaks" });
    expect(fitText(text, { width: 890, rule: { maxLines: 4 } })).toMatchObject({ size: 98.75, why: "breaks" });
    expect(fitText(text, { width: 895, rule: { maxLines: 2 } })).toMatchObject({ size: 89.5, why: "lines" });
  });
});

test("a word alone in the last line gets company, although marks there need more height", () => {
  const marked = { ascent: 0.85, descent: 0.25, isStacked: true };
  const atoms = letters("aaa bb cc dd", marked).map((atom, index) => (index < 10 ? atom : letters("d")[0]));
  const paragraph = paragraphOf(atoms.flatMap((atom) => atom ?? []));
  const fitted = search.solve({ paragraph, style: STYLE, rule: SHRINK, room: { width: 900, height: 205 } });
  expect(fitted).toMatchObject({ size: 90, lines: [{ end: 7 }, { start: 7 }] });
});

test("the words of each line are looked at once for each size", () => {
  class CountingPlacing extends LinePlacing {
    looks: Line[] = [];
    override words(...[paragraph, line, options]: Parameters<LinePlacing["words"]>) {
      this.looks.push(line);
      return super.words(paragraph, line, options);
    }
  }
  const counting = new CountingPlacing();
  const paragraph = paragraphOf(letters("aaa bbb ccc ddd eee fff", MARKS));
  const lines = paragraph.greedy(8, { level: 0 }) ?? [];
  counting.leadingOf(paragraph, STYLE, { lines, width: 8 });
  expect(counting.looks).toEqual(lines);
});

describe("a word with soft hyphens", () => {
  const WORD = "aaaaaa\u00adbbbbbb";

  test("stays whole where that costs little", () => {
    expect(fitText(WORD, { width: 1_100 })).toMatchObject({ lines: [{ start: 0, end: 13 }] });
  });

  test("is hyphenated where it would else become much smaller", () => {
    expect(fitText(WORD, { width: 700 })).toMatchObject({ size: 100, lines: [{ end: 7 }, { start: 7 }] });
  });
});

describe("the leading", () => {
  test("is the designed one for the letters that the style sheet was made for", () => {
    expect(fitText("aaaa bbbb", { width: 500 }).leading).toBe(100);
  });

  test("keeps the ink of stacked marks apart", () => {
    const { leading, size } = fitText("aaaa bbbb", { width: 500, ink: MARKS });
    expect(leading / size).toBeCloseTo(1.1 + 0.4 + placing.inkGap);
  });

  test("adds room for ink that leaves the first and the last line", () => {
    const { above, below, height } = fitText("aaaa", { ink: MARKS });
    expect({ above, below, height }).toEqual({ above: 30, below: 20, height: 150 });
  });

  test("lets ink use the padding of its box first", () => {
    expect(
      fitText("aaaa", { ink: MARKS, style: { padding: { before: 25, after: 40, left: 0, right: 0 } } }),
    ).toMatchObject({
      above: 5,
      below: 0,
    });
  });

  test("measures a trimmed box from its capitals", () => {
    expect(fitText("aaaa", { style: { isTrimmed: true } }).height).toBeCloseTo(70);
  });
});

describe("a text that does not fit at its smallest size", () => {
  const RULE = { maxLines: 1 };

  test("is cut at a word, without the punctuation before the ellipsis", () => {
    expect(fitText("aaaa, bbbb cccc", { width: 240, rule: RULE })).toMatchObject({ size: 20, shown: 10 });
    expect(fitText("aaaa, bbbb cccc", { width: 160, rule: RULE })).toMatchObject({ size: 20, shown: 4 });
  });

  test("shows nothing where not even one letter and the ellipsis have room", () => {
    expect(fitText("aaaa", { width: 10, rule: RULE }).shown).toBe(0);
  });
});
