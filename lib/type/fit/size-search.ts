import type { Fit } from "./fit-rule.ts";
import type { FitReason } from "./measurements.ts";
import type { Atom, BreakLevel, Line, Paragraph } from "./paragraph.ts";

/** What the style sheet says about a text. Lengths are in multiples of the font size, except `from` and `padding`. */
export type TextStyle = {
  /** The designed font size in CSS pixels. */
  from: number;
  lineHeight: number;
  /** Of the font, which place the baseline in a line. */
  fontAscent: number;
  fontDescent: number;
  /** The ink of ordinary Latin letters, which the style sheet was made for. */
  usualAscent: number;
  usualDescent: number;
  /** The box ends at the capitals and at the baseline (`text-box-trim`). */
  isTrimmed: boolean;
  capHeight: number;
  /** By which the first line is shorter. */
  indent: number;
  /** The width of padding and margins of elements inside. */
  extra: number;
  ellipsis: number;
  /** Where lines stand: 0 for the start of the element, 0.5 for its middle, 1 for its end. */
  align: number;
  isBalanced: boolean;
  isRightToLeft: boolean;
  /** The element's own padding in CSS pixels, into which ink may reach. */
  padding: { before: number; after: number; left: number; right: number };
};

/** In CSS pixels. The height is infinite where nothing limits it. */
export type Room = { width: number; height: number };

export type Fitted = {
  size: number;
  lines: Line[];
  /** The distance between two lines, in CSS pixels. */
  leading: number;
  /** Room for ink above the first line and below the last, in CSS pixels. */
  above: number;
  below: number;
  /** The same at the left and right of the lines, for letters with swashes. */
  left: number;
  right: number;
  /** The height of all lines and of that room, in CSS pixels. */
  height: number;
  why: FitReason;
  /** Of a cut text: how many atoms are shown. An ellipsis follows them. */
  shown?: number;
};

type Task = { paragraph: Paragraph; style: TextStyle; room: Room; rule: Fit };

const TUNING = {
  /** Sizes are multiples of this, in CSS pixels. */
  step: 0.25,
  /** A text is not hyphenated and a phrase not broken unless that makes it larger by more than this. */
  costlyGain: 1.25,
  /** Sizes at which better breaks are tried, in parts of the largest one. */
  refinements: [1, 0.98, 0.96, 0.94, 0.92],
  /** The least gap between the ink of two lines that unusual letters bring near each other. */
  inkGap: 0.04,
  /** The same for ordinary letters, which may stand close in a tight title. */
  usualGap: 0.01,
  /** Letters that are only a little taller than the usual ones need no more room. */
  usualTolerance: 1.03,
  /** Ink may reach out of its line by this part of the font size, as that of italics does. */
  overhang: 0.12,
  /** What rounding may add to a width or height, in CSS pixels. */
  rounding: 0.5,
  /** In UTF-16 units. A longer word is cut in the middle. */
  longestDroppedWord: 16,
};

/**
 * Finds the largest size and the best lines for a text, by arithmetic alone. It runs in the page, which gets it as source
 * text, and in Node.
 */
export class SizeSearch {
  tuning: typeof TUNING;
  /** Makes a paragraph of atoms. */
  paragraphOf: (atoms: Atom[]) => Paragraph;

  constructor(tuning: typeof TUNING, paragraphOf: (atoms: Atom[]) => Paragraph) {
    this.tuning = tuning;
    this.paragraphOf = paragraphOf;
  }

  solve(task: Task): Fitted {
    const { rule, style } = task;
    const least = rule.mode === "clamp" ? style.from : Math.min(style.from, rule.minSize ?? style.from / 2);
    const [free, costly] = [this.largest(task, least, 0), this.largest(task, least, 1)];
    if (free && (!costly || free.size * this.tuning.costlyGain >= costly.size))
      return this.refine(task, free, { level: 0, least });
    if (costly) return this.refine(task, costly, { level: 1, least });
    const rough = this.largest(task, least, 2);
    return rough ? this.refine(task, rough, { level: 2, least }) : this.cut(task, least);
  }

  /** The height that a text needs at its smallest, in CSS pixels. */
  leastHeight(task: Task): number {
    const { rule, style } = task;
    const least = rule.mode === "clamp" ? style.from : Math.min(style.from, rule.minSize ?? style.from / 2);
    const free = { ...task, room: { ...task.room, height: Number.POSITIVE_INFINITY } };
    return (this.at(free, least, 1) ?? this.at(free, least, 2) ?? this.cut(free, least)).height;
  }

  /** The largest size from `least` to the designed one at which the text fits, with breaks of this level. */
  largest(task: Task, least: number, level: BreakLevel): Fitted | undefined {
    const { step } = this.tuning;
    const { from } = task.style;
    const whole = this.at(task, from, level);
    if (whole) return whole;
    let best = this.at(task, least, level);
    if (!best) return undefined;
    let [low, high] = [0, Math.ceil((from - least) / step)];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const fitted = this.at(task, Math.floor((least + middle * step) / step) * step, level);
      if (fitted) [best, low] = [fitted, middle];
      else high = middle;
    }
    return { ...best, why: this.reasonFor(task, best.size + step, level) };
  }

  reasonFor(task: Task, size: number, level: BreakLevel): FitReason {
    const free = { ...task, room: { ...task.room, height: Number.POSITIVE_INFINITY } };
    const lines = this.linesAt(free, size, level);
    if (!lines) return "width";
    return lines.length > task.rule.maxLines ? "lines" : "height";
  }

  linesAt({ paragraph, style, room }: Task, size: number, level: BreakLevel): Line[] | undefined {
    const width = (room.width + this.tuning.rounding) / size - style.extra;
    const { indent } = style;
    const lines = paragraph.greedy(width, { level, indent });
    const sides = this.sidesOf(paragraph, style, lines ?? []);
    const swashes = sides.left + sides.right;
    return swashes > 0 ? paragraph.greedy(width - swashes, { level, indent }) : lines;
  }

  /** How far the first and last letters of lines reach out of them, beyond what is usual. */
  sidesOf(paragraph: Paragraph, { isRightToLeft }: TextStyle, lines: Line[]): { left: number; right: number } {
    const { overhang } = this.tuning;
    const sides = { left: 0, right: 0 };
    for (const line of lines) {
      const ends = paragraph.endsOf(line);
      const [left, right] = isRightToLeft ? ends.toReversed() : ends;
      sides.left = Math.max(sides.left, (left?.left ?? 0) - overhang);
      sides.right = Math.max(sides.right, (right?.right ?? 0) - overhang);
    }
    return sides;
  }

  /** The text at one size, or undefined if it does not fit. */
  at(task: Task, size: number, level: BreakLevel): Fitted | undefined {
    const lines = this.linesAt(task, size, level);
    if (!lines || lines.length > task.rule.maxLines) return undefined;
    const fitted = this.placed(task, size, lines);
    return fitted.height <= task.room.height + this.tuning.rounding ? fitted : undefined;
  }

  /**
   * The same text with better breaks. Where these need more leading than there is room for, the text becomes a little
   * smaller, but no smaller than `least`.
   */
  refine(task: Task, fitted: Fitted, { level, least }: { level: BreakLevel; least: number }): Fitted {
    const { paragraph, style, room } = task;
    const { step, rounding, refinements } = this.tuning;
    const { indent, isBalanced } = style;
    for (const part of refinements) {
      const size = Math.floor((fitted.size * part) / step) * step;
      if (part < 1 && size < least) break;
      const width = (room.width + rounding) / size - style.extra - (fitted.left + fitted.right) / fitted.size;
      const lines = paragraph.best(fitted.lines, { width, level, indent, isBalanced });
      const better = { ...this.placed(task, part < 1 ? size : fitted.size, lines), why: fitted.why };
      if (better.height <= room.height + rounding) return better;
    }
    return fitted;
  }

  /** Finds leading and room for ink. */
  placed({ paragraph, style, room }: Task, size: number, lines: Line[]): Fitted {
    const leadingEm = this.leadingOf(paragraph, style, { lines, width: room.width / size });
    const { isTrimmed, fontAscent, fontDescent, capHeight, padding } = style;
    const halfLeading = (leadingEm - fontAscent - fontDescent) / 2;
    const [top, bottom] = isTrimmed ? [capHeight, 0] : [halfLeading + fontAscent, halfLeading + fontDescent];
    const [first, last] = [this.inkOf(paragraph, lines[0]), this.inkOf(paragraph, lines.at(-1))];
    const above = this.excess(first.ascent, style.usualAscent, top) * size - padding.before;
    const below = this.excess(last.descent, style.usualDescent, bottom) * size - padding.after;
    const leading = leadingEm * size;
    const lost = isTrimmed ? (leadingEm - capHeight) * size : 0;
    const sides = this.sidesOf(paragraph, style, lines);
    const room_ = {
      above: this.wholePixels(above),
      below: this.wholePixels(below),
      left: this.wholePixels(sides.left * size - padding.left),
      right: this.wholePixels(sides.right * size - padding.right),
    };
    const height = Math.max(1, lines.length) * leading - lost + room_.above + room_.below;
    return { size, lines, leading, ...room_, height, why: "designed" };
  }

  /** Whole pixels keep the letters of other texts where they are on the pixel grid. */
  wholePixels(length: number): number {
    const ROUNDING_PX = 0.01;
    return Math.max(0, Math.ceil(length - ROUNDING_PX));
  }

  /** How far ink leaves its line box, for ink that the style sheet was not made for. */
  excess(ink: number, usual: number, room: number): number {
    return ink > usual * this.tuning.usualTolerance ? Math.max(0, ink - room) : 0;
  }

  inkOf({ atoms }: Paragraph, line: Line = { start: 0, end: 0 }): { ascent: number; descent: number } {
    let [ascent, descent] = [0, 0];
    for (let index = line.start; index < line.end; index++) {
      ascent = Math.max(ascent, atoms[index]?.ascent ?? 0);
      descent = Math.max(descent, atoms[index]?.descent ?? 0);
    }
    return { ascent, descent };
  }

  stackedInk({ atoms }: Paragraph, line: Line): { ascent: number; descent: number } | undefined {
    const stacked = atoms.slice(line.start, line.end).filter(({ isStacked }) => isStacked);
    if (stacked.length === 0) return undefined;
    const most = (key: "ascent" | "descent") => Math.max(...stacked.map((atom) => atom[key]));
    return { ascent: most("ascent"), descent: most("descent") };
  }

  /** The least distance of lines at which no ink touches that of the next line, and at least the designed one. */
  leadingOf(paragraph: Paragraph, style: TextStyle, { lines, width }: { lines: Line[]; width: number }): number {
    const { usualAscent, usualDescent } = style;
    const { usualTolerance, inkGap, usualGap } = this.tuning;
    let leading = style.lineHeight;
    const { ascent, descent } = this.inkOf(paragraph, { start: 0, end: paragraph.atoms.length });
    if (ascent + descent + inkGap <= leading) return leading;
    const words = lines.map((line) => this.words(paragraph, line, { style, width }));
    for (const [index, line] of lines.entries()) {
      const next = lines[index + 1];
      if (!next) break;
      for (const above of words[index] ?? []) {
        for (const below of words[index + 1] ?? []) {
          if (above.right < below.left || below.right < above.left) continue;
          const areUsual =
            above.descent <= usualDescent * usualTolerance && below.ascent <= usualAscent * usualTolerance;
          leading = Math.max(leading, above.descent + below.ascent + (areUsual ? usualGap : inkGap));
        }
      }
      // Marks of such a script stand close to each other everywhere, so its lines keep apart as a whole.
      const [over, under] = [this.stackedInk(paragraph, line), this.stackedInk(paragraph, next)];
      if (over && under) leading = Math.max(leading, over.descent + under.ascent + inkGap);
    }
    return leading;
  }

  /** Runs of atoms with the same ink, and where they stand from the start of the line. */
  words(paragraph: Paragraph, line: Line, { style, width }: { style: TextStyle; width: number }) {
    const { atoms, before } = paragraph;
    const shift =
      (width - paragraph.widthOf(line)) * style.align - (before[paragraph.visibleStart[line.start] ?? line.start] ?? 0);
    const words: { left: number; right: number; ascent: number; descent: number }[] = [];
    for (let index = line.start; index < line.end; index++) {
      const atom = atoms[index];
      if (!atom || atom.isSpace) continue;
      const { ascent, descent } = atom;
      const left = shift + (before[index] ?? 0) - atom.left;
      const right = shift + (before[index + 1] ?? 0) + atom.right;
      const last = words.at(-1);
      if (last && last.ascent === ascent && last.descent === descent && left - last.right < 0.01)
        last.right = Math.max(last.right, right);
      else words.push({ left, right, ascent, descent });
    }
    return words;
  }

  /** Keeps as many atoms as fit with an ellipsis at the smallest size, and drops the rest. */
  cut(task: Task, size: number): Fitted {
    const { atoms } = task.paragraph;
    const whole = atoms.length;
    let [low, high] = [0, whole];
    let best: Fitted | undefined;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const fitted = this.shortened(task, size, middle);
      if (fitted) [best, low] = [fitted, middle];
      else high = middle;
    }
    const shown = this.wholeWords(atoms, low);
    const fitted = this.shortened(task, size, shown) ?? best ?? this.shortened(task, size, low);
    if (fitted) return { ...fitted, why: this.reasonFor(task, size, 2) };
    const line = { start: 0, end: 0 };
    return { ...this.placed(task, size, [line]), why: this.reasonFor(task, size, 2), shown: 0 };
  }

  /** The first atoms of a text with an ellipsis, or undefined if they do not fit. */
  shortened(task: Task, size: number, count: number): Fitted | undefined {
    const kept = this.withoutMarks(task.paragraph.atoms, count);
    const last = task.paragraph.atoms[kept - 1] ?? task.paragraph.atoms[0];
    if (!last) return undefined;
    const atoms = task.paragraph.atoms
      .slice(0, kept)
      .map((atom, index) =>
        index === kept - 1 && atom.level < 2 ? { ...atom, level: 2 as const, isForced: false } : atom,
      );
    const ellipsis: Atom = {
      ...last,
      text: "…",
      width: task.style.ellipsis,
      isSpace: false,
      level: 2,
      hyphen: 0,
      left: 0,
      right: 0,
      isForced: false,
    };
    const paragraph = this.paragraphOf([...atoms, ellipsis]);
    const shorter = { ...task, paragraph };
    const fitted = this.at(shorter, size, 1) ?? this.at(shorter, size, 2);
    return fitted && { ...fitted, shown: kept };
  }

  /** White space, punctuation and dashes before an ellipsis are dropped. */
  withoutMarks(atoms: Atom[], count: number): number {
    let kept = count;
    while (kept > 0 && /^[\s\p{Po}\p{Pd}\u00ad]+$/u.test(atoms[kept - 1]?.text ?? "")) kept--;
    return kept;
  }

  /** Moves an end back to the end of a word, unless that would drop more than a short word. */
  wholeWords(atoms: Atom[], count: number): number {
    const text = atoms.map((atom) => atom.text).join("");
    const end = atoms.slice(0, count).reduce((sum, atom) => sum + atom.text.length, 0);
    let wordEnd = 0;
    for (const { index } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text))
      if (index <= end) wordEnd = index;
    if (end - wordEnd > this.tuning.longestDroppedWord) return count;
    let kept = 0;
    for (let length = 0; kept < count && length < wordEnd; kept++) length += atoms[kept]?.text.length ?? 0;
    return kept > 0 ? kept : count;
  }
}

export const SIZE_TUNING = TUNING;
