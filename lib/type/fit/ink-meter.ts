import type { Atom } from "./lines/atom.ts";
import type { ProbedStyle } from "./text-style.ts";

/** How far the ink of a text reaches from its baseline, and out of its width, in multiples of the font size. */
type Ink = {
  ascent: number;
  descent: number;
  left: number;
  right: number;
  /** The white between its ends and its ink. */
  whiteLeft: number;
  whiteRight: number;
};

/**
 * A font for the canvas, its size in multiples of the element's, and the language of the text where it is known. What is in a cell of a
 * vertical line stands upright.
 */
type Face = {
  font: string;
  capitals: CanvasFontVariantCaps;
  scale: number;
  language?: string;
  isUpright?: boolean;
};

/**
 * Measures the ink of letters on a canvas, with the fonts of the page, which gets this class as source text: it refers to
 * nothing outside itself but types.
 */
export class InkMeter {
  context = new OffscreenCanvas(1, 1).getContext("2d");
  /** The canvas measures ink at this font size, and the result is scaled. */
  inkSize = 100;
  inks = new Map<string, Ink>();
  /** The font that the canvas is set to. Setting it takes long, even to the same font. */
  current = { font: "", capitals: "", language: "" };
  /** The font that each grapheme is drawn with: a run of another script may have one of its own. */
  faces = new WeakMap<Atom, Face>();

  /** Of Unicode's Vertical_Orientation, which regular expressions do not know: the scripts that are in use, and all signs. */
  upright =
    /^(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Yiii}\p{sc=Cans}]|(?![\p{L}\p{M}\p{N}])|[\u3000-\u33ff\uff00-\uffef])/u;

  /** The ink that the style sheet was made for. Capitals reach below the baseline only as far as round ones do. */
  usualInk({ textTransform }: CSSStyleDeclaration): Ink {
    if (textTransform !== "uppercase") return this.inkOf("Hdgpqxj");
    /** In multiples of the font size. Digits of other scripts count as well. */
    const OVERSHOOT = 0.03;
    const ink = this.inkOf("HOSU");
    return { ...ink, descent: Math.max(ink.descent, OVERSHOOT) };
  }

  applyFont(style: CSSStyleDeclaration, language: string): { fontAscent: number; fontDescent: number } {
    const { context, inkSize } = this;
    if (!context) throw new Error("There is no canvas to measure texts with.");
    this.use(this.faceOf(style, Number.parseFloat(style.fontSize)), language);
    const { fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText("H");
    return { fontAscent: fontBoundingBoxAscent / inkSize, fontDescent: fontBoundingBoxDescent / inkSize };
  }

  faceOf(style: CSSStyleDeclaration, from: number): Face {
    const font = `${style.fontStyle} ${style.fontWeight} ${this.inkSize}px ${style.fontFamily}`;
    const capitals = style.fontVariantCaps as CanvasFontVariantCaps;
    return { font, capitals, scale: Number.parseFloat(style.fontSize) / from };
  }

  /** The face of what an element contains, and its language. */
  faceIn(element: HTMLElement, from: number): Face {
    const language = element.closest<HTMLElement>("[lang]")?.lang ?? "";
    return {
      ...this.faceOf(getComputedStyle(element), from),
      language,
      isUpright: element.localName === "upright-cell",
    };
  }

  use({ font, capitals }: Face, language: string): void {
    const { context, current } = this;
    if (!context) return;
    // In a page that runs from right to left, ink would be measured from the right end.
    if (current.font === "") Object.assign(context, { textRendering: "geometricPrecision", textAlign: "left" });
    if (current.font !== font) context.font = font;
    if (current.capitals !== capitals) context.fontVariantCaps = capitals;
    if (language && current.language !== language) Object.assign(context, { lang: language });
    this.current = { font, capitals, language: language || current.language };
  }

  /** Letters without case are as large among small capitals as elsewhere, but a canvas would make them smaller. */
  selectFace(text: string, face: Face, language: string): void {
    this.use(/\p{Lo}/u.test(text) ? { ...face, capitals: "normal" } : face, language);
  }

  /**
   * What `text-transform: uppercase` draws. The browser knows four languages with capitals of their own, such as the dotted one of Turkish.
   * Of Georgian it draws the usual letters, also for capitals that were typed: they reach below the line, which capitals do not.
   */
  capitalsOf(text: string, language: string): string {
    const [own = "en"] = /^(?:az|el|lt|tr)(?![a-z])/i.exec(language) ?? [];
    return text.toLocaleUpperCase(own).replace(/[\u1c90-\u1cbf]+/g, (capitals) => capitals.toLowerCase());
  }

  inkOf(text: string): Ink {
    const { context, current, inkSize } = this;
    const key = `${current.font}|${current.capitals}|${text}`;
    const known = this.inks.get(key);
    if (known) return known;
    const measured = context?.measureText(text);
    const ascent = (measured?.actualBoundingBoxAscent ?? 0) / inkSize;
    const descent = (measured?.actualBoundingBoxDescent ?? 0) / inkSize;
    const outLeft = (measured?.actualBoundingBoxLeft ?? 0) / inkSize;
    const outRight = ((measured?.actualBoundingBoxRight ?? 0) - (measured?.width ?? 0)) / inkSize;
    const [left, right] = [Math.max(0, outLeft), Math.max(0, outRight)];
    const ink = { ascent, descent, left, right, whiteLeft: Math.max(0, -outLeft), whiteRight: Math.max(0, -outRight) };
    this.inks.set(key, ink);
    return ink;
  }

  /** In multiples of the font size, in the font that {@link applyFont} chose. */
  widthOf(text: string): number {
    return (this.context?.measureText(text).width ?? 0) / this.inkSize;
  }

  /** The ink of an atom in its own font, for the font size of its element. */
  inkOfAtom(atom: Atom, text: string, { language }: ProbedStyle): Ink {
    const face = this.faces.get(atom);
    if (face) this.use(face, language);
    const scale = face?.scale ?? 1;
    return Object.fromEntries(Object.entries(this.inkOf(text)).map(([side, length]) => [side, length * scale])) as Ink;
  }

  /** Ink is measured by letter where letters do not change with their neighbours, else by word. */
  measure(atoms: Atom[], { element, style }: { element: HTMLElement; style: ProbedStyle }): void {
    const computed = getComputedStyle(element);
    this.use(this.faceOf(computed, style.from), style.language);
    // Padding of an inline element gives only its first and last line room.
    const sideways = computed.display === "inline" ? 0 : 1;
    const isUpperCase = computed.textTransform === "uppercase";
    const PLAIN =
      /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Hebr}\p{sc=Geor}\p{sc=Armn}\p{sc=Zinh}\p{P}\p{N}\p{S}]+$/u;
    let run: Atom[] = [];
    const inkOf = (atom: Atom, text: string) => {
      const face = this.faces.get(atom);
      if (face) this.selectFace(text, face, style.language);
      const drawn = isUpperCase ? this.capitalsOf(text, face?.language ?? style.language) : text;
      const { ascent, descent, left, right } = this.inkOf(drawn);
      const scale = face?.scale ?? 1;
      const sides = { left: left * scale * sideways, right: right * scale * sideways };
      return { ascent: ascent * scale, descent: descent * scale, ...sides };
    };
    const finish = () => {
      const [first] = run;
      const ink = first && inkOf(first, run.map((atom) => atom.text).join(""));
      for (const atom of run) Object.assign(atom, ink, { left: 0, right: 0, isStacked: true });
      const ends = style.isRightToLeft ? run.toReversed() : run;
      Object.assign(ends[0] ?? {}, { left: ink?.left });
      Object.assign(ends.at(-1) ?? {}, { right: ink?.right });
      run = [];
    };
    for (const atom of atoms) {
      // A Greek letter loses its accent as a capital, and its neighbour may get a diaeresis for it.
      const isPlain = PLAIN.test(atom.text) && !(isUpperCase && /\p{sc=Grek}/u.test(atom.text));
      if (atom.isSpace || isPlain) {
        if (run.length > 0) finish();
        if (!atom.isSpace) Object.assign(atom, inkOf(atom, atom.text));
        continue;
      }
      run.push(atom);
      if (atom.level < 2) finish();
    }
    if (run.length > 0) finish();
    if (style.isVertical) for (const atom of atoms) this.turn(atom, computed, style.baselineShift);
  }

  /** The least that a vertical line is made for: letters that stand upright in it fill their square. */
  usualTurnedInk(style: CSSStyleDeclaration, baselineShift: number): { ascent: number; descent: number } {
    const { ascent, descent } = this.turned(this.usualInk(style), style, baselineShift);
    return { ascent: Math.max(0.5, ascent), descent: Math.max(0.5, descent) };
  }

  /** From the middle of a vertical line, to the side where the lines begin and to the other one. Letters lie with their tops to the right. */
  turned({ ascent, descent }: { ascent: number; descent: number }, style: CSSStyleDeclaration, baselineShift: number) {
    const [right, left] = [ascent - baselineShift, descent + baselineShift];
    return style.writingMode === "vertical-lr" ? { ascent: left, descent: right } : { ascent: right, descent: left };
  }

  turn(atom: Atom, style: CSSStyleDeclaration, baselineShift: number): void {
    if (atom.isSpace) return;
    const ink = this.isUpright(atom, style) ? { ascent: 0.5, descent: 0.5 } : this.turned(atom, style, baselineShift);
    Object.assign(atom, ink, { left: 0, right: 0 });
  }

  isUpright(atom: Atom, { textOrientation }: CSSStyleDeclaration): boolean {
    if (textOrientation !== "mixed") return textOrientation === "upright";
    return this.faces.get(atom)?.isUpright === true || this.upright.test(atom.text);
  }
}
