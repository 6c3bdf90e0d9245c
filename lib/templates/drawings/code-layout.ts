import { contains } from "#lib/fonts/coverage.ts";
import { factsOf } from "#lib/fonts/font-facts.ts";
import type { CodeLine, CodeToken } from "./code-languages.ts";
import { knownEms } from "./text-widths.ts";

const CODE_FAMILY = "JetBrains Mono";

/** The width of a character of JetBrains Mono, in ems. */
export const CELL_EM = 0.6;

/** The cells of a character of a companion font. Most have characters of up to an em. */
const WIDE_CELLS = 1 / CELL_EM;

/** The cells of an emoji. Those of Noto Color Emoji are 1.245 ems wide. */
const EMOJI_CELLS = 1.245 / CELL_EM;

const NOT_NARROW = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]|\p{Emoji_Presentation}/u;

/** Whether a character takes one cell. The pattern is not a constant, because it takes 7 ms to read. */
function isNarrow(character: string): boolean {
  return (
    /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}\p{S}\p{N}\p{Zs}]/u.test(character) &&
    !NOT_NARROW.test(character)
  );
}

function isOfCodeFamily(character: string): boolean {
  return contains(factsOf(CODE_FAMILY)?.coverage ?? [], character.codePointAt(0) ?? 0);
}

/**
 * Emoji of several characters, also joined ones that lack their variation selectors: each is drawn as one. `\p{RGI_Emoji}` does not
 * have the latter, and takes ten times as long.
 */
const emojiPattern = () =>
  /(?:\p{ExtPict}[\ufe0f\p{EMod}]?\u200d){1,3}\p{ExtPict}[\ufe0f\p{EMod}]?|\p{ExtPict}[\ufe0f\p{EMod}]|🏴[\u{e0020}-\u{e007f}]+|\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|\p{EPres}/u;

/** The width of a text in cells. */
export function cellsOf(text: string): number {
  const hasEmoji = /[\u20e3\ufe0f]|\p{EPres}/u.test(text);
  const between = hasEmoji ? text.split(emojiPattern()) : [text];
  let cells = (between.length - 1) * EMOJI_CELLS;
  for (const character of between.join("")) {
    const known = knownEms(character);
    if (known !== undefined && !isOfCodeFamily(character)) cells += known / CELL_EM;
    else if (!/\p{M}/u.test(character)) cells += isNarrow(character) ? 1 : WIDE_CELLS;
  }
  return cells;
}

/** A row of a drawn block: a line of code or a part of one. */
export type CodeRow = { line: CodeLine; isFirst: boolean; indent: number; tokens: CodeToken[]; isCut: boolean };

const segmenter = new Intl.Segmenter();

/** The widest grapheme that is kept whole, in cells: a consonant of five parts with a vowel on both sides is narrower. */
const MOST_GRAPHEME_CELLS = 10;

/** What no row breaks within, by its end in the line in UTF-16 units, and its width in cells. */
type Unit = { end: number; cells: number };

/** The graphemes of a line. A very wide one is broken into its characters: a grapheme has no longest length. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  for (const { segment, index } of segmenter.segment(text)) {
    const cells = cellsOf(segment);
    const end = index + segment.length;
    const last = units.at(-1);
    // For Unicode, some vowels of Burmese are graphemes. At the start of a row, they would have a dotted circle.
    if (last && /^\p{M}/u.test(segment) && last.cells + cells <= MOST_GRAPHEME_CELLS)
      units[units.length - 1] = { end, cells: last.cells + cells };
    else if (cells <= MOST_GRAPHEME_CELLS) units.push({ end, cells });
    else
      for (const character of segment)
        units.push({ end: (units.at(-1)?.end ?? 0) + character.length, cells: cellsOf(character) });
  }
  return units;
}

/** The end of the longest row that begins with a unit, in UTF-16 units. It is after a space or a sign where that is near. */
function endOfRow(text: string, units: Unit[], { first, cells }: { first: number; cells: number }): number {
  const start = units[first - 1]?.end ?? 0;
  let used = 0;
  let next = first;
  while (next < units.length && (next === first || used + (units[next] as Unit).cells <= cells))
    used += (units[next++] as Unit).cells;
  const end = (units[next - 1] as Unit).end;
  if (next === units.length) return end;
  const breaks = [...text.slice(start, end).matchAll(/[\s,;({[]|\.(?=\w)/g)];
  const last = breaks.at(-1);
  const preferred = last ? last.index + (last[0] === "." ? 0 : 1) : 0;
  const isUnit = units.slice(first, next).some((unit) => unit.end === start + preferred);
  return isUnit && preferred > (end - start) * 0.55 ? start + preferred : end;
}

function sliceTokens(tokens: CodeToken[], from: number, to: number): CodeToken[] {
  const sliced: CodeToken[] = [];
  let at = 0;
  for (const { text, kind } of tokens) {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (part !== "") sliced.push({ text: part, kind });
    at += text.length;
  }
  return sliced;
}

type Long = "wrap" | "cut";

/** What is the same at each size. */
type Measured = { line: CodeLine; text: string; cells: number; getUnits: () => Unit[] };

function measure(line: CodeLine): Measured {
  const text = line.tokens.map((token) => token.text).join("");
  let units: Unit[] | undefined;
  return { line, text, cells: cellsOf(text), getUnits: () => (units ??= unitsOf(text)) };
}

/** Splits a line into rows of at most so many cells. Rows after the first are indented further than the line. */
function rowsOf({ line, text, cells, getUnits }: Measured, columns: number, long: Long): CodeRow[] {
  const row = { line, indent: 0, isFirst: true, isCut: false };
  if (cells <= columns) return [{ ...row, tokens: line.tokens }];
  if (long === "cut") {
    const end = endOfRow(text, getUnits(), { first: 0, cells: columns - 1 });
    return [{ ...row, tokens: sliceTokens(line.tokens, 0, end), isCut: true }];
  }
  const indent = Math.min((/^ */.exec(text)?.[0].length ?? 0) + 2, Math.floor(columns / 2));
  const rows: CodeRow[] = [];
  const units = getUnits();
  for (let first = 0, at = 0; first < units.length; ) {
    const isFirst = at === 0;
    const end = endOfRow(text, units, { first, cells: isFirst ? columns : columns - indent });
    const start = isFirst ? 0 : at + (/^ */.exec(text.slice(at))?.[0].length ?? 0);
    rows.push({ ...row, isFirst, indent: isFirst ? 0 : indent, tokens: sliceTokens(line.tokens, start, end) });
    while ((units[first]?.end ?? Number.POSITIVE_INFINITY) <= end) first++;
    at = end;
  }
  return rows.filter(({ tokens }) => tokens.length > 0);
}

export type CodeRoom = {
  /** CSS pixels. */
  width: number;
  height: number;
  size: number;
  minSize: number;
  /** A multiple of the size. */
  leading: number;
  long: Long;
  hasNumbers: boolean;
};

export type CodeLayout = { size: number; columns: number; gutter: number; rows: CodeRow[]; hidden: number };

/** Code is made smaller down to this share of its size before lines are wrapped. */
const WRAP_BELOW = 0.6;

/** The columns of the line numbers, with the gap after them. */
function gutterOf({ hasNumbers }: CodeRoom, lines: Measured[]): number {
  return hasNumbers ? String(lines.length).length + 2 : 0;
}

function layOutAt(size: number, lines: Measured[], room: CodeRoom): CodeLayout {
  const gutter = gutterOf(room, lines);
  const columns = Math.max(8, Math.floor(room.width / (size * CELL_EM)) - gutter);
  return { size, columns, gutter, rows: lines.flatMap((line) => rowsOf(line, columns, room.long)), hidden: 0 };
}

/** Shows the rows of the first lines. The last row says how many lines are left out. */
function cutRows(layout: CodeLayout, lines: Measured[], most: number): CodeLayout {
  if (layout.rows.length <= most) return layout;
  const kept = layout.rows.slice(0, Math.max(0, most - 1));
  const shown = kept.at(-1)?.line.number ?? 0;
  return { ...layout, rows: kept, hidden: lines.length - shown };
}

/**
 * Sets code as large as its room allows, by arithmetic: JetBrains Mono has one width. Long lines make it smaller first,
 * and then are wrapped or cut. Lines that have no room at the smallest size are counted in the last row.
 */
export function layOutCode(code: CodeLine[], room: CodeRoom): CodeLayout {
  const lines = code.map(measure);
  const mostAt = (size: number) => Math.floor(room.height / (size * room.leading));
  const longest = Math.max(...lines.map(({ cells }) => cells));
  let fallback: CodeLayout | undefined;
  for (let size = room.size; size >= room.minSize; size--) {
    const layout = layOutAt(size, lines, room);
    if (layout.rows.length > mostAt(size)) continue;
    if (longest <= layout.columns) return layout;
    fallback ??= layout;
    if (size < room.size * WRAP_BELOW) break;
  }
  return fallback ?? cutRows(layOutAt(room.minSize, lines, room), lines, mostAt(room.minSize));
}
