import type { Atom, BreakLevel } from "./atom.ts";

/** A line, as the indices of its first atom and of the one after its last. */
export type Line = { start: number; end: number };

/** What faults of lines cost. White space at the end of a line costs the square of its share of the width. */
const COSTS = { orphan: 0.6, stranded: 0.25, costly: 0.35, rough: 0.8, shortLastLine: 0.5, insideClause: 0.05 };

/**
 * The lines of one text. It runs in the page, which gets it as source text, and in Node; so it refers to nothing outside
 * itself but types and what the constructor gets. Breaks are chosen over the whole paragraph, as Knuth and Plass do.
 */
export class Paragraph {
  atoms: Atom[];
  costs: typeof COSTS;
  /** The width of all atoms before an index. */
  before: number[] = [0];
  /** The end of the visible atoms before an index, and the start of those after it. */
  visibleEnd: number[] = [0];
  visibleStart: number[] = [];
  /** The most by which a line moves out of its box at either end. */
  mostTrimmed: number;
  /** By the level of a break: the indices after which a line may end. */
  stopsByLevel: number[][] = [];

  constructor(atoms: Atom[], costs: typeof COSTS) {
    this.atoms = atoms;
    this.costs = costs;
    for (const [index, { width, isSpace }] of atoms.entries()) {
      this.before.push((this.before[index] ?? 0) + width);
      this.visibleEnd.push(isSpace ? (this.visibleEnd[index] ?? 0) : index + 1);
    }
    this.mostTrimmed = atoms.reduce((most, { trimStart, trimEnd }) => Math.max(most, trimStart, trimEnd), 0);
    this.visibleStart[atoms.length] = atoms.length;
    for (let index = atoms.length - 1; index >= 0; index--)
      this.visibleStart[index] = atoms[index]?.isSpace ? (this.visibleStart[index + 1] ?? index) : index;
  }

  /** The width of a line without the white space at its ends, with the hyphen that its break draws. */
  widthOf({ start, end }: Line): number {
    const first = Math.max(start, this.visibleStart[start] ?? start);
    const last = Math.max(first, this.visibleEnd[end] ?? end);
    const hyphen = end < this.atoms.length ? (this.atoms[end - 1]?.hyphen ?? 0) : 0;
    const width = (this.before[last] ?? 0) - (this.before[first] ?? 0) + hyphen;
    if (this.mostTrimmed === 0) return width;
    const [left, right] = this.trimsOf({ start, end });
    return width - left - right;
  }

  /** By how much the start and the end of a line move out of its box. A hyphen does not move. */
  trimsOf(line: Line): [start: number, end: number] {
    const [first, last] = this.endsOf(line);
    const isHyphenated = line.end < this.atoms.length && (this.atoms[line.end - 1]?.hyphen ?? 0) > 0;
    return [first?.trimStart ?? 0, isHyphenated ? 0 : (last?.trimEnd ?? 0)];
  }

  /** The first and the last visible atom of a line. */
  endsOf({ start, end }: Line): (Atom | undefined)[] {
    return [this.atoms[this.visibleStart[start] ?? start], this.atoms[(this.visibleEnd[end] ?? end) - 1]];
  }

  /** The indices after which a line may end. */
  stops(level: BreakLevel): number[] {
    const known = this.stopsByLevel[level];
    if (known) return known;
    const found: number[] = [];
    this.stopsByLevel[level] = found;
    for (const [index, atom] of this.atoms.entries())
      if (atom.isForced || atom.level <= level || index === this.atoms.length - 1) found.push(index + 1);
    return found;
  }

  /**
   * Fills line after line.
   * @param width of a line, and `indent`, by which the first one is shorter
   * @returns undefined if a part without a break is wider than a line
   */
  greedy(width: number, { level, indent = 0 }: { level: BreakLevel; indent?: number }): Line[] | undefined {
    const lines: Line[] = [];
    let start = 0;
    let end = 0;
    const room = () => width - (lines.length === 0 ? indent : 0);
    for (const stop of this.stops(level)) {
      if (this.widthOf({ start, end: stop }) > room()) {
        if (end > start) lines.push({ start, end });
        start = end;
        if (this.widthOf({ start, end: stop }) > room()) return undefined;
      }
      end = stop;
      if (this.atoms[stop - 1]?.isForced) {
        lines.push({ start, end });
        start = end;
      }
    }
    if (start < this.atoms.length || lines.length === 0) lines.push({ start, end: this.atoms.length });
    return lines;
  }

  /** Splits lines where the author did. */
  sections(lines: Line[]): Line[][] {
    const sections: Line[][] = [[]];
    for (const line of lines) {
      sections.at(-1)?.push(line);
      if (this.atoms[line.end - 1]?.isForced) sections.push([]);
    }
    return sections.filter((section) => section.length > 0);
  }

  /** Chooses better breaks for the same number of lines. `isBalanced` makes all lines about as long. */
  best(lines: Line[], options: { width: number; level: BreakLevel; indent?: number; isBalanced: boolean }): Line[] {
    const sections = this.sections(lines);
    return sections.flatMap((section, index) =>
      section.length === 1
        ? section
        : (this.bestOf(section, { ...options, total: lines.length, indent: index === 0 ? (options.indent ?? 0) : 0 }) ??
          section),
    );
  }

  bestOf(
    section: Line[],
    {
      width,
      level,
      indent,
      isBalanced,
      total: all,
    }: { width: number; level: BreakLevel; indent: number; isBalanced: boolean; total: number },
  ): Line[] | undefined {
    const [first, last] = [section[0]?.start ?? 0, section.at(-1)?.end ?? 0];
    const stops = this.stops(level).filter((stop) => stop > first && stop <= last);
    const after = new Map([first, ...stops].map((stop, index) => [stop, index]));
    const count = section.length;
    const earliest = this.earliestStarts([first, ...stops], { width, count });
    // Per number of lines and stop: the least cost, and the stop before it.
    let row = new Map<number, { cost: number; lines: Line[] }>([[first, { cost: 0, lines: [] }]]);
    for (let number = 1; number <= count; number++) {
      const next = new Map<number, { cost: number; lines: Line[] }>();
      for (const [start, { cost, lines }] of row) {
        for (const end of stops.slice(after.get(start))) {
          if ((number === count) !== (end === last) || end < (earliest[count - number] ?? first)) continue;
          const line = { start, end };
          const room = width - (number === 1 ? indent : 0);
          if (this.widthOf(line) > room + 1e-6) {
            if (number === count) continue;
            break;
          }
          const total = cost + this.costOf(line, { room, number, count, all, isBalanced });
          if (total < (next.get(end)?.cost ?? Number.POSITIVE_INFINITY))
            next.set(end, { cost: total, lines: [...lines, line] });
        }
      }
      row = next;
    }
    return row.get(last)?.lines;
  }

  /** By the number of lines that are left: the first stop after which the rest of the text may fit into them. */
  earliestStarts(stops: number[], { width, count }: { width: number; count: number }): number[] {
    const found = [stops.at(-1) ?? 0];
    const room = width + 2 * this.mostTrimmed + 1e-6;
    let index = stops.length - 1;
    while (found.length < count) {
      const end = this.before[this.visibleEnd[found.at(-1) ?? 0] ?? 0] ?? 0;
      const fits = (stop: number) => end - (this.before[this.visibleStart[stop] ?? stop] ?? 0) <= room;
      while (index > 0 && fits(stops[index - 1] ?? 0)) index--;
      found.push(stops[index] ?? 0);
    }
    return found;
  }

  costOf(
    line: Line,
    {
      room,
      number,
      count,
      all,
      isBalanced,
    }: { room: number; number: number; count: number; all: number; isBalanced: boolean },
  ): number {
    const slack = (room - this.widthOf(line)) / room;
    if (number === count) {
      const orphan = all > 2 && this.isOneWord(line) ? this.costs.orphan : 0;
      return orphan + (isBalanced ? slack ** 2 : Math.max(0, slack - 0.6) * this.costs.shortLastLine);
    }
    const { level = 0 } = this.atoms[line.end - 1] ?? {};
    const rough = level === 2 ? this.costs.rough : level === 1 ? this.costs.costly : 0;
    const inside = this.endsInsideClause(line) ? this.costs.insideClause : 0;
    return slack ** 2 + rough + inside + (this.endsStranded(line) ? this.costs.stranded : 0);
  }

  /** True if a line of Japanese or Chinese ends without punctuation, which is the better place for a break. */
  endsInsideClause({ end }: Line): boolean {
    const last = this.atoms[(this.visibleEnd[end] ?? end) - 1]?.text ?? "";
    return /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]/u.test(last);
  }

  /** True for a line without a space inside, in a text that has spaces. */
  isOneWord({ start, end }: Line): boolean {
    const [first, last] = [this.visibleStart[start] ?? start, this.visibleEnd[end] ?? end];
    return (
      start > 0 &&
      this.atoms
        .slice(first, last)
        .every(({ level, isSpace }, index, all) => !isSpace && (level > 0 || index === all.length - 1))
    );
  }

  /** True if the last word of a line is a single letter. */
  endsStranded({ start, end }: Line): boolean {
    const last = (this.visibleEnd[end] ?? end) - 1;
    return (
      last > start &&
      /^\p{L}$/u.test(this.atoms[last]?.text ?? "") &&
      this.atoms[last - 1]?.isSpace === true &&
      last + 1 < end
    );
  }
}

export const PARAGRAPH_COSTS = COSTS;
