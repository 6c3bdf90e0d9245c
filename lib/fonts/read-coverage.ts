import type { Coverage } from "./coverage.ts";

/** The first and the last of code points that follow each other. */
type Span = [first: number, last: number];

const LAST_CODE_POINT = 0x10ffff;

/** Joins spans, which may overlap and be in any order, into ascending runs. */
function joinSpans(spans: Span[]): Coverage {
  const runs: Coverage = [];
  for (const [first, last] of spans.toSorted(([a], [b]) => a - b)) {
    const end = runs.at(-1);
    if (first > last) continue;
    if (end === undefined || first > end + 1) runs.push(first, last);
    else runs[runs.length - 1] = Math.max(end, last);
  }
  return runs;
}

/** Sorts code points into runs. */
export function runsOf(codePoints: Set<number>): Coverage {
  return joinSpans(Array.from(codePoints, (codePoint) => [codePoint, codePoint]));
}

/** The encodings of Unicode by platform and encoding, the best first: those with code points beyond 16 bits, then others. */
const UNICODE = ["3.10", "0.6", "0.4", "3.1", "0.3", "0.2", "0.1", "0.0"];

/** The encoding of symbol fonts, such as Wingdings. They list their characters from this code point on. */
const SYMBOL = "3.0";
const SYMBOLS_START = 0xf000;

/** The Roman encoding of the Macintosh. Its first half is ASCII. */
const ROMAN = "1.0";

/** The subtable that a browser uses, and its encoding. @throws Error when there is none */
function subtableOf(cmap: Buffer): { table: Buffer; encoding: string } {
  const starts = new Map<string, number>();
  for (let entry = 4 + 8 * (cmap.readUInt16BE(2) - 1); entry >= 4; entry -= 8)
    starts.set(`${cmap.readUInt16BE(entry)}.${cmap.readUInt16BE(entry + 2)}`, cmap.readUInt32BE(entry + 4));
  const encoding = [...UNICODE, SYMBOL, ROMAN].find((each) => starts.has(each));
  if (encoding === undefined) throw new Error("The font has no characters of Unicode.");
  return { table: cmap.subarray(starts.get(encoding)), encoding };
}

/** Format 4: as many first as last code points, of 16 bits. */
function segments(table: Buffer): Span[] {
  const bytes = table.readUInt16BE(6);
  return Array.from({ length: bytes / 2 }, (_, index) => {
    const at = 14 + index * 2;
    return [table.readUInt16BE(at + bytes + 2), table.readUInt16BE(at)];
  });
}

/** Formats 12 and 13: groups of code points of 32 bits. */
function groups(table: Buffer): Span[] {
  const count = table.readUInt32BE(12);
  if (16 + count * 12 > table.length) throw new RangeError("The groups of characters are not whole.");
  return Array.from({ length: count }, (_, index) => {
    const at = 16 + index * 12;
    return [table.readUInt32BE(at), table.readUInt32BE(at + 4)];
  });
}

const spanOf = (first: number, count: number): Span[] => [[first, first + count - 1]];

/** How to read the formats of subtables; https://learn.microsoft.com/typography/opentype/spec/cmap */
const READERS: Record<number, (table: Buffer) => Span[]> = {
  0: () => spanOf(0, 256),
  4: segments,
  6: (table) => spanOf(table.readUInt16BE(6), table.readUInt16BE(8)),
  10: (table) => spanOf(table.readUInt32BE(12), table.readUInt32BE(16)),
  12: groups,
  13: groups,
};

/** A browser draws the symbol of U+F041 for the letter A, U+0041, too. */
function withLetters(spans: Span[]): Span[] {
  const letters = spans.map(
    ([first, last]): Span => [Math.max(0, first - SYMBOLS_START), Math.min(0xff, last - SYMBOLS_START)],
  );
  return [...spans, ...letters];
}

/** What a font says that it has, as ascending runs. @throws Error for a table that cannot be read */
function readRuns(cmap: Buffer): Coverage {
  const { table, encoding } = subtableOf(cmap);
  const read = READERS[table.readUInt16BE(0)];
  if (!read) throw new Error("The font lists its characters in an unknown format.");
  const spans = read(table).filter(([first]) => first <= LAST_CODE_POINT);
  const bounded = spans.map(([first, last]): Span => [first, Math.min(last, LAST_CODE_POINT)]);
  return joinSpans(encoding === SYMBOL ? withLetters(bounded) : bounded);
}

/** The spans of a coverage. */
function spansOf(runs: Coverage): Span[] {
  return Array.from({ length: runs.length / 2 }, (_, index) => [runs[index * 2] ?? 0, runs[index * 2 + 1] ?? 0]);
}

/** The characters that any of these has. */
export function joinCoverages(coverages: Coverage[]): Coverage {
  return joinSpans(coverages.flatMap(spansOf));
}

/**
 * Lists the characters of fonts by their tables `cmap`. A font may list the same characters any number of times, so its spans are
 * never expanded to single characters.
 * @throws Error for a table that cannot be read
 */
export function readCoverage(cmaps: Iterable<Buffer>): Coverage {
  return joinCoverages(Array.from(cmaps, readRuns));
}
