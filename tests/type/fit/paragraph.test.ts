import { describe, expect, test } from "vitest";
import type { Atom } from "#lib/type/fit/lines/atom.ts";
import { PARAGRAPH_COSTS, Paragraph } from "#lib/type/fit/lines/paragraph.ts";
import { letters } from "./letters.ts";

const paragraphOf = (atoms: Atom[]) => new Paragraph(atoms, PARAGRAPH_COSTS);

type Setting = { width: number; level?: 0 | 1 | 2; isBalanced?: boolean; indent?: number };

/** The lines of a text whose letters are all one wide. */
function linesOf(text: string, { width, level = 0, isBalanced = true, indent = 0 }: Setting): string[] | undefined {
  const atoms = letters(text);
  const paragraph = paragraphOf(atoms);
  const greedy = paragraph.greedy(width, { level, indent });
  if (!greedy) return undefined;
  const best = paragraph.best(greedy, { width, level, indent, isBalanced });
  return best.map(({ start, end }) =>
    atoms
      .slice(start, end)
      .map((atom) => atom.text)
      .join("")
      .trim(),
  );
}

describe("the breaks of a paragraph", () => {
  test("make lines about as long, in as few lines as possible", () => {
    expect(linesOf("aaaa bbbb cccc dddd", { width: 15 })).toEqual(["aaaa bbbb", "cccc dddd"]);
  });

  test("leave no single word on the last of three lines", () => {
    const text = "aaa bbb ccc ddd eee fff ggg";
    const lines = linesOf(text, { width: 11, isBalanced: false });
    expect(lines).toHaveLength(3);
    expect(lines?.at(-1)).toBe("fff ggg");
  });

  test("leave no single letter at the end of a line", () => {
    expect(linesOf("idziemy w las na grzyby dzisiaj", { width: 12 })).toEqual([
      "idziemy",
      "w las na",
      "grzyby",
      "dzisiaj",
    ]);
  });

  test("are better after punctuation in Japanese and Chinese", () => {
    expect(linesOf("くくくく き、 かかかか", { width: 9 })).toEqual(["くくくく き、", "かかかか"]);
  });

  test("keep those of the author", () => {
    expect(linesOf("aa\nbbbb cccc dddd eeee\nf", { width: 15 })).toEqual(["aa", "bbbb cccc", "dddd eeee", "f"]);
  });

  test("use soft hyphens only at a level that allows them, with room for the hyphen", () => {
    const text = "Stra\u00adßen\u00adver\u00adkehr";
    expect(linesOf(text, { width: 8 })).toBeUndefined();
    expect(linesOf(text, { width: 8, level: 1 })).toEqual(["Stra\u00adßen\u00ad", "ver\u00adkehr"]);
    expect(linesOf(text, { width: 7, level: 1 })).toHaveLength(3);
  });

  test("leave room for what stands before the first line", () => {
    expect(linesOf("aaaa bbbb cccc", { width: 9, isBalanced: false })).toEqual(["aaaa bbbb", "cccc"]);
    expect(linesOf("aaaa bbbb cccc", { width: 9, indent: 1, isBalanced: false })).toEqual(["aaaa", "bbbb cccc"]);
  });

  test("are refused for a word that is wider than a line, and split it at the roughest level", () => {
    expect(linesOf("abcdefgh", { width: 3, level: 1 })).toBeUndefined();
    expect(linesOf("abcdefgh", { width: 3, level: 2 })).toEqual(["abc", "def", "gh"]);
  });

  test("give the same lines for a text of 240 characters without spaces as often as it is asked", () => {
    const text = "月日は百代の過客にして行かふ年も又旅人也".repeat(12);
    const first = linesOf(text, { width: 20, level: 2 });
    expect(first).toHaveLength(12);
    expect(linesOf(text, { width: 20, level: 2 })).toEqual(first);
  });
});

test("only lines from which the rest of the text still fits are weighed", () => {
  const paragraph = paragraphOf(letters("雨".repeat(200)).map((atom) => ({ ...atom, level: 0 })));
  let weighed = 0;
  const costOf = paragraph.costOf.bind(paragraph);
  paragraph.costOf = (...line) => {
    weighed++;
    return costOf(...line);
  };
  const greedy = paragraph.greedy(21, { level: 0 }) ?? [];
  const lines = paragraph.best(greedy, { width: 21, level: 0, isBalanced: true });
  expect(lines.map(({ start, end }) => end - start)).toEqual(Array.from({ length: 10 }, () => 20));
  expect(weighed).toBeLessThan(1_000);
});
