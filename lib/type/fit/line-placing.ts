import type { Fit } from "./fit-rule.ts";
import type { Line, Paragraph } from "./lines/paragraph.ts";
import type { FitReason } from "./measurements.ts";
import type { TextStyle } from "./text-style.ts";

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

/** A text to be set in a room. */
export type TextTask = {
  paragraph: Paragraph;
  style: TextStyle;
  room: Room;
  rule: Fit;
  /** The largest font size, in CSS pixels. Without it, the designed one. */
  mostSize?: number;
};

/**
 * Finds the distance of lines and the room for their ink, by arithmetic alone. It runs in the page, which gets it as source
 * text, and in Node; so it refers to nothing outside itself but types.
 */
export class LinePlacing {
  /** The least gap between the ink of two lines that unusual letters bring near each other, in multiples of the font size. */
  inkGap = 0.04;
  /** The same for ordinary letters, which may stand close in a tight title. */
  usualGap = 0.01;
  /** Letters that are only a little taller than the usual ones need no more room. */
  usualTolerance = 1.03;
  /** Ink may reach out of its line by this part of the font size, as that of italics does. */
  overhang = 0.12;

  /** Finds leading and room for ink. */
  placed({ paragraph, style, room }: TextTask, size: number, lines: Line[]): Fitted {
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

  /** What lines take with the designed leading and without room for ink, in CSS pixels. */
  leastHeight({ lineHeight, isTrimmed, capHeight }: TextStyle, size: number, lines: Line[]): number {
    return (Math.max(1, lines.length) * lineHeight - (isTrimmed ? lineHeight - capHeight : 0)) * size;
  }

  /** Whole pixels keep the letters of other texts where they are on the pixel grid. */
  wholePixels(length: number): number {
    const ROUNDING_PX = 0.01;
    return Math.max(0, Math.ceil(length - ROUNDING_PX));
  }

  /** How far ink leaves its line box, for ink that the style sheet was not made for. */
  excess(ink: number, usual: number, room: number): number {
    return ink > usual * this.usualTolerance ? Math.max(0, ink - room) : 0;
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
    const { usualTolerance, inkGap, usualGap } = this;
    let leading = style.lineHeight;
    const whole = this.inkOf(paragraph, { start: 0, end: paragraph.atoms.length });
    if (whole.ascent + whole.descent + inkGap <= leading) return leading;
    const inks = lines.map((line) => this.inkOf(paragraph, line));
    const words = lines.map((line) => this.words(paragraph, line, { style, width }));
    for (const [index, line] of lines.entries()) {
      const next = lines[index + 1];
      if (!next) break;
      if ((inks[index]?.descent ?? 0) + (inks[index + 1]?.ascent ?? 0) + inkGap <= leading) continue;
      for (const above of words[index] ?? []) {
        for (const below of words[index + 1] ?? []) {
          if (above.descent + below.ascent + inkGap <= leading) continue;
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
      (width - paragraph.widthOf(line)) * style.align -
      (before[paragraph.visibleStart[line.start] ?? line.start] ?? 0) -
      paragraph.trimsOf(line)[0];
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
  /** How far the first and last letters of lines reach out of them, beyond what is usual. */
  sidesOf(paragraph: Paragraph, { isRightToLeft }: TextStyle, lines: Line[]): { left: number; right: number } {
    const { overhang } = this;
    const sides = { left: 0, right: 0 };
    for (const line of lines) {
      const ends = paragraph.endsOf(line);
      const [left, right] = isRightToLeft ? ends.toReversed() : ends;
      sides.left = Math.max(sides.left, (left?.left ?? 0) - overhang);
      sides.right = Math.max(sides.right, (right?.right ?? 0) - overhang);
    }
    return sides;
  }
}
