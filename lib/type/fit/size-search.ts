import type { Fitted, LinePlacing, TextTask } from "./line-placing.ts";
import type { FitReason } from "./measurements.ts";
import type { BreakLevel, Line } from "./paragraph.ts";
import type { TextCut } from "./text-cut.ts";

/**
 * Finds the largest size and the best lines for a text, by arithmetic alone. It runs in the page, which gets it as source
 * text, and in Node; so it refers to nothing outside itself but types.
 */
export class SizeSearch {
  placing: LinePlacing;
  ending: TextCut;
  /** Sizes are multiples of this, in CSS pixels. */
  step = 0.25;
  /** A text is not hyphenated and a phrase not broken unless that makes it larger by more than this. */
  costlyGain = 1.25;
  /** Sizes at which better breaks are tried, in parts of the largest one. */
  refinements = [1, 0.98, 0.96, 0.94, 0.92];
  /** What rounding may add to a width or height, in CSS pixels. */
  rounding = 0.5;

  constructor(placing: LinePlacing, ending: TextCut) {
    this.placing = placing;
    this.ending = ending;
  }

  solve(task: TextTask): Fitted {
    const { rule, style } = task;
    const least = rule.mode === "clamp" ? style.from : Math.min(style.from, rule.minSize ?? style.from / 2);
    const free = this.largest(task, least, 0);
    const costly =
      free?.size === (task.mostSize ?? style.from) || !this.hasCostly(task) ? free : this.largest(task, least, 1);
    if (free && (!costly || free.size * this.costlyGain >= costly.size))
      return this.refine(task, free, { level: 0, least });
    if (costly) return this.refine(task, costly, { level: 1, least });
    const rough = this.largest(task, least, 2);
    return rough ? this.refine(task, rough, { level: 2, least }) : this.cut(task, least);
  }

  hasCostly({ paragraph }: TextTask): boolean {
    return paragraph.stops(1).length > paragraph.stops(0).length;
  }

  /** The height that a text needs at its smallest, in CSS pixels. */
  leastHeight(task: TextTask): number {
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
    const { step, rounding, refinements } = this;
    const { indent, isBalanced } = style;
    for (const part of refinements) {
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
