import type { Atom } from "./lines/atom.ts";

/**
 * Finds the marks that keep the direction of a text at a line break, which ends a paragraph for the bidirectional algorithm
 * (UAX 9). The page gets it as source text, so it refers to nothing outside itself but types.
 */
export class BreakMarks {
  /** Characters with a direction, and digits, whose direction depends on the letters before them. */
  directed = /[\p{L}\p{Nl}\p{Nd}\u061b-\u061f\u06d4\u200e\u200f]/u;
  /** The digits among them: European and Persian ones (class EN), and Arabic ones (class AN), which are right to left. */
  digit = /[\d\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/;
  arabicDigit = /[\u0660-\u0669]/;
  rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
  /** Letters and punctuation of class AL. */
  arabic = /[\u0600-\u07bf\u0860-\u08ff\ufb50-\ufdff\ufe70-\ufeff]/;

  /**
   * The mark for both sides of the break at an index. It keeps punctuation with the words on both of its sides, where these run
   * against the direction of the text. A number belongs to the letters before it: after Arabic ones, 2-1 reads from right to left,
   * also at the start of a line.
   */
  markAt(atoms: Atom[], index: number, base: "ltr" | "rtl"): string {
    const letter = this.nearest(atoms, index - 1, { step: -1, isLetter: true });
    const before = this.nearest(atoms, index - 1, { step: -1 });
    const next = this.nearest(atoms, index, { step: 1 });
    if (this.digit.test(next) && this.arabic.test(letter)) return "\u061c";
    const directions = [before, next].map((character) => this.directionOf(character, letter) ?? base);
    const direction = this.followsLetter(next) || directions[0] === directions[1] ? directions[1] : base;
    if (direction === base) return "";
    return direction === "ltr" ? "\u200e" : "\u200f";
  }

  /** The nearest character with a direction in the same paragraph, from an atom on, in steps of 1 or -1. */
  nearest(atoms: Atom[], start: number, { step, isLetter = false }: { step: 1 | -1; isLetter?: boolean }): string {
    for (let index = start; index >= 0 && index < atoms.length; index += step) {
      const { text = "", isForced = false } = atoms[index] ?? {};
      if (isForced && step === -1) break;
      const characters = step === 1 ? text : Array.from(text).toReversed();
      for (const character of characters)
        if (this.directed.test(character) && !(isLetter && this.digit.test(character))) return character;
      if (isForced) break;
    }
    return "";
  }

  followsLetter(character: string): boolean {
    return this.digit.test(character) && !this.arabicDigit.test(character);
  }

  /** The direction of a character, which is that of the letter before it for a digit. */
  directionOf(character: string, letter: string): "ltr" | "rtl" | undefined {
    const telling = this.followsLetter(character) ? letter : character;
    if (telling === "") return undefined;
    return this.rightToLeft.test(telling) ? "rtl" : "ltr";
  }
}
