import type { InkMeter } from "./ink-meter.ts";
import type { Atom } from "./lines/atom.ts";
import type { OpticalStyle, ProbedStyle } from "./text-style.ts";

type White = "whiteLeft" | "whiteRight";

/** One side of a line: the room beside it in CSS pixels, the marks that hang there, and the atom within. */
type Edge = { side: White; room: number; marks: RegExp; inner: Atom | undefined };

/**
 * Finds by how much lines of large text move out of their box, so that their edges look straight: letters by the white
 * beside them, and quotes as a whole. An element asks for it with `--optical-edges: on`. The page gets this class as source
 * text, so it refers to nothing outside itself but types.
 */
export class OpticalEdges {
  meter: InkMeter;
  /** White that is left beside a letter, in CSS pixels, as that of a small text has it. */
  keptWhite = 2;
  /** A mark with so much white beside it fills a cell of East Asian text. It moves by its white, and does not hang. */
  wideWhite = 0.25;
  /** Marks that hang out of the start of a line, and out of its end. */
  opening = /^["'“”„‟‘’‚«»‹›「『（〈《【〔]$/;
  closing = /^["'“”‘’«»‹›.,\-‐–、。，．」』）〉》】〕]$/;
  /** The part of the margin that a mark may take, so that it keeps away from the edge of the canvas. */
  usedRoom = 0.8;
  letter = /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}]/u;

  constructor(meter: InkMeter) {
    this.meter = meter;
  }

  /** What an element asks for, or undefined. Horizontal text from left to right only. */
  styleOf(element: HTMLElement, style: CSSStyleDeclaration): OpticalStyle | undefined {
    if (style.getPropertyValue("--optical-edges").trim() !== "on") return undefined;
    if (style.writingMode !== "horizontal-tb" || style.direction === "rtl") return undefined;
    const pixels = (value: string) => Number.parseFloat(value) || 0;
    const box = element.getBoundingClientRect();
    let [left, right] = [0, document.documentElement.clientWidth];
    for (let around: Element | null = element; around && around !== document.body; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === "visible") continue;
      const clip = around.getBoundingClientRect();
      [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
    }
    const isCentered = style.textAlign === "center";
    const isAtEnd = style.textAlign === "end" || style.textAlign === "right";
    return {
      start: isAtEnd ? undefined : box.left + pixels(style.paddingLeft) - left,
      end: isAtEnd || isCentered ? right - box.right + pixels(style.paddingRight) : undefined,
    };
  }

  /** Sets what each atom gives at the edge of a line. */
  trim(atoms: Atom[], { style, isUpperCase }: { style: ProbedStyle; isUpperCase: boolean }): void {
    const { optical, from } = style;
    if (!optical) return;
    const kept = this.keptWhite / from;
    const drawn = (atom: Atom) => (isUpperCase ? atom.text.toUpperCase() : atom.text);
    const whiteOf = (atom: Atom, side: White) => this.meter.inkOfAtom(atom, drawn(atom), style)[side];
    const whiteBeside = (atom: Atom | undefined, side: White) =>
      atom && this.letter.test(atom.text) ? Math.max(0, whiteOf(atom, side) - kept) : 0;
    const moved = (atom: Atom, { side, room, marks, inner }: Edge) => {
      if (!marks.test(atom.text)) return whiteBeside(atom, side);
      const white = whiteOf(atom, side);
      if (white > this.wideWhite) return white - kept;
      const out = Math.min(atom.width, (Math.max(0, room) * this.usedRoom) / from);
      return out < atom.width ? out : out + whiteBeside(inner, side);
    };
    const { opening, closing } = this;
    for (const [index, atom] of atoms.entries()) {
      const [before, after] = [atoms[index - 1], atoms[index + 1]];
      if (optical.start !== undefined)
        atom.trimStart = moved(atom, { side: "whiteLeft", room: optical.start, marks: opening, inner: after });
      if (optical.end !== undefined)
        atom.trimEnd = moved(atom, { side: "whiteRight", room: optical.end, marks: closing, inner: before });
    }
  }
}
