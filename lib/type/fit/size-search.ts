import type { Fitted, LinePlacing, TextTask } from "./line-placing.ts";
import type { BreakLevel } from "./lines/atom.ts";
import type { Line, Paragraph } from "./lines/paragraph.ts";
import type { FitReason } from "./measurements.ts";
import type { TextCut } from "./text-cut.ts";

/**
 * Rates lines, so that texts of different sizes can be compared. It runs in the page, which gets it as source text, and in
 * Node; so it refers to nothing outside itself but types.
 */
export class LineQuality {
  /** What faults cost: an author's line that is broken again, a word alone in a line, the same in the last line, and a hyphen. */
  costs = { brokenLine: 0.15, loneWord: 0.08, orphan: 0.1, hyphen: 0.06 };
  /** The last line of a balanced text counts half: it ends the text, wherever that is. */
  lastWeight = 0.5;

  /** 0 for lines of one length. Costs are compared with the logarithm of the size: 0.1 is worth 10 % of it. */
  costOf(paragraph: Paragraph, lines: Line[], isBalanced: boolean): number {
    if (lines.length < 2) return 0;
    const widths = lines.map((line) => paragraph.widthOf(line));
    const longest = Math.max(...widths);
    let [rag, weights, cost] = [0, 0, 0];
    for (const [index, { end }] of lines.entries()) {
      const isLast = index === lines.length - 1;
      const atom = paragraph.atoms[end - 1];
      if (atom?.isForced || (isLast && !isBalanced)) continue;
      const weight = isLast ? this.lastWeight : 1;
      rag += weight * (1 - (widths[index] ?? 0) / longest) ** 2;
      weights += weight;
      if (!isLast && (atom?.hyphen ?? 0) > 0) cost += this.costs.hyphen;
    }
    if (lines.length > 2) cost += lines.filter((line) => this.isLoneWord(paragraph, line)).length * this.costs.loneWord;
    const sections = paragraph.sections(lines);
    if (sections.length > 1) cost += sections.filter(({ length }) => length > 1).length * this.costs.brokenLine;
    const last = lines.at(-1);
    if (lines.length > 2 && last && paragraph.isOneWord(last)) cost += this.costs.orphan;
    return cost + (weights > 0 ? rag / weights : 0);
  }

  /** A phrase of Japanese or Chinese is a line like any other. */
  isLoneWord(paragraph: Paragraph, line: Line): boolean {
    const [first] = paragraph.endsOf(line);
    return paragraph.isOneWord(line) && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(first?.text ?? "");
  }
}

/**
 * Finds the largest size and the best lines for a text, by arithmetic alone. It runs in the page, which gets it as source
 * text, and in Node; so it refers to nothing outside itself but types.
 */
export class SizeSearch {
  placing: LinePlacing;
  ending: TextCut;
  quality: LineQuality;
  /** Sizes are multiples of this, in CSS pixels. */
  step = 0.25;
  /** A text is not hyphenated and a phrase not broken unless that makes it larger by more than this. */
  costlyGain = 1.25;
  /** Sizes at which better breaks are tried, in parts of the largest one. */
  refinements = [1, 0.98, 0.96, 0.94, 0.92];
  /** The same, where the last line is a single word otherwise. */
  loneWordRefinements = [0.9, 0.88, 0.86, 0.84];
  /** What rounding may add to a width or height, in CSS pixels. */
  rounding = 0.5;

  /** The search ends at a size whose lines cost less than this: smaller sizes would hardly break better. */
  goodLines = 0.05;
  /** How much better the lines of a smaller size must be, beyond what the size is worth. */
  leastGain = 0.03;
  /** The smallest part of a size that better lines may take, and of the designed size, which the author wanted. */
  leastPart = { chosen: 0.76, designed: 0.9 };
  /** How many fewer lines are tried, and the least number of lines: two lines are no worse than one. */
  fewerLines = 3;
  fewestLines = 2;

  /** What {@link leastHeight} found, and for which width. Each text of a crowded box asks for that of all others, in every round. */
  leastHeights = new WeakMap<TextTask, { width: number; height: number }>();

  constructor(placing: LinePlacing, { ending, quality }: { ending: TextCut; quality: LineQuality }) {
    this.placing = placing;
    this.ending = ending;
    this.quality = quality;
  }

  solve(task: TextTask): Fitted {
    const { rule, style } = task;
    const least = rule.mode === "clamp" ? style.from : Math.min(style.from, rule.minSize ?? style.from / 2);
    const free = this.largest(task, least, 0);
    const costly =
      free?.size === (task.mostSize ?? style.from) || !this.hasCostly(task) ? free : this.largest(task, least, 1);
    if (free && (!costly || !this.isWorthBreaks(task, { free, costly, least })))
      return this.withBetterLines(task, free, { level: 0, least });
    if (costly) return this.withBetterLines(task, costly, { level: 1, least });
    const rough = this.largest(task, least, 2);
    return rough ? this.refine(task, rough, { level: 2, least }) : this.cut(task, least);
  }

  /** Whether costly breaks make a text so much larger, or would if another text did not limit its size. */
  isWorthBreaks(task: TextTask, { free, costly, least }: { free: Fitted; costly: Fitted; least: number }): boolean {
    const { mostSize: _, ...alone } = task;
    const possible = costly.size === task.mostSize ? (this.largest(alone, least, 1) ?? costly) : costly;
    return free.size * this.costlyGain < possible.size;
  }

  /** The largest size, or a smaller one at which the text has fewer lines that are much better. */
  withBetterLines(task: TextTask, largest: Fitted, { level, least }: { level: BreakLevel; least: number }): Fitted {
    const { paragraph, style, rule } = task;
    const chosen = this.refine(task, largest, { level, least });
    let [best, bestCost] = [chosen, this.quality.costOf(paragraph, chosen.lines, style.isBalanced)];
    // The texts of a group have the size of another one.
    if (bestCost < this.goodLines || rule.mode === "clamp" || rule.group !== undefined) return chosen;
    bestCost -= this.leastGain;
    const isDesigned = rule.mode === "shrink" && chosen.size === style.from;
    const floor = Math.max(least, chosen.size * (isDesigned ? this.leastPart.designed : this.leastPart.chosen));
    const most = chosen.lines.length - 1;
    const fewest = Math.max(
      this.fewestLines,
      paragraph.sections(chosen.lines).length,
      chosen.lines.length - this.fewerLines,
    );
    for (let count = most; count >= fewest; count--) {
      const fewer = { ...task, rule: { ...rule, maxLines: count }, mostSize: chosen.size };
      const found = this.largest(fewer, floor, level);
      if (!found) break;
      const fitted = this.refine(fewer, found, { level, least: floor });
      const cost = this.quality.costOf(paragraph, fitted.lines, style.isBalanced) + Math.log(chosen.size / fitted.size);
      if (cost < bestCost) [best, bestCost] = [{ ...fitted, why: isDesigned ? "breaks" : chosen.why }, cost];
    }
    return best;
  }

  hasCostly({ paragraph }: TextTask): boolean {
    return paragraph.stops(1).length > paragraph.stops(0).length;
  }

  /** The height that a text needs at its smallest, in CSS pixels. Of a task, only the room may change between two calls. */
  leastHeight(task: TextTask): number {
    const { width } = task.room;
    const known = this.leastHeights.get(task);
    if (known?.width === width) return known.height;
    const height = this.findLeastHeight(task);
    this.leastHeights.set(task, { width, height });
    return height;
  }

  findLeastHeight(task: TextTask): number {
    const { rule, style } = task;
    const least = rule.mode === "clamp" ? style.from : Math.min(style.from, rule.minSize ?? style.from / 2);
    const free = { ...task, room: { ...task.room, height: Number.POSITIVE_INFINITY } };
    return (this.at(free, least, 1) ?? this.at(free, least, 2) ?? this.cut(free, least)).height;
  }

  /** The largest size from `least` to the designed one at which the text fits, with breaks of this level. */
  largest(task: TextTask, least: number, level: BreakLevel): Fitted | undefined {
    const { step } = this;
    const from = Math.max(least, task.mostSize ?? task.style.from);
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

  reasonFor(task: TextTask, size: number, level: BreakLevel): FitReason {
    const free = { ...task, room: { ...task.room, height: Number.POSITIVE_INFINITY } };
    const lines = this.linesAt(free, size, level);
    if (!lines) return "width";
    return lines.length > task.rule.maxLines ? "lines" : "height";
  }

  linesAt({ paragraph, style, room }: TextTask, size: number, level: BreakLevel): Line[] | undefined {
    const width = (room.width + this.rounding) / size - style.extra;
    const { indent } = style;
    const lines = paragraph.greedy(width, { level, indent });
    const sides = this.placing.sidesOf(paragraph, style, lines ?? []);
    const swashes = sides.left + sides.right;
    return swashes > 0 ? paragraph.greedy(width - swashes, { level, indent }) : lines;
  }

  /** The text at one size, or undefined if it does not fit. */
  at(task: TextTask, size: number, level: BreakLevel): Fitted | undefined {
    const lines = this.linesAt(task, size, level);
    if (!lines || lines.length > task.rule.maxLines) return undefined;
    if (this.placing.leastHeight(task.style, size, lines) > task.room.height + this.rounding) return undefined;
    const fitted = this.placing.placed(task, size, lines);
    return fitted.height <= task.room.height + this.rounding ? fitted : undefined;
  }

  /**
   * The same text with better breaks. Where these need more leading than there is room for, the text becomes a little
   * smaller, but no smaller than `least`.
   */
  refine(task: TextTask, fitted: Fitted, { level, least }: { level: BreakLevel; least: number }): Fitted {
    const { paragraph, style, room } = task;
    const { step, rounding, refinements, loneWordRefinements } = this;
    const { indent, isBalanced } = style;
    const last = fitted.lines.at(-1);
    const isLone = fitted.lines.length > 1 && last !== undefined && paragraph.isOneWord(last);
    for (const part of isLone ? [...refinements, ...loneWordRefinements] : refinements) {
      const size = Math.floor((fitted.size * part) / step) * step;
      if (part < 1 && size < least) break;
      const width = (room.width + rounding) / size - style.extra - (fitted.left + fitted.right) / fitted.size;
      const lines = paragraph.best(fitted.lines, { width, level, indent, isBalanced });
      const better = { ...this.placing.placed(task, part < 1 ? size : fitted.size, lines), why: fitted.why };
      if (better.height <= room.height + rounding) return better;
    }
    return fitted;
  }

  /** The text at its smallest size, ended by an ellipsis. */
  cut(task: TextTask, size: number): Fitted {
    const shorter = this.ending.longest(task, (part) => this.at(part, size, 1) ?? this.at(part, size, 2));
    const fitted = shorter ?? { ...this.placing.placed(task, size, [{ start: 0, end: 0 }]), shown: 0 };
    return { ...fitted, why: this.reasonFor(task, size, 2) };
  }
}
