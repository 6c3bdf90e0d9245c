import type { Fitted, TextTask } from "./line-placing.ts";
import type { Atom } from "./lines/atom.ts";
import type { Paragraph } from "./lines/paragraph.ts";

/** Sets a text, or returns undefined if it does not fit. */
type Trial = (task: TextTask) => Fitted | undefined;

/**
 * Cuts a text that fits at no size, and ends it in an ellipsis. It runs in the page, which gets it as source text, and in
 * Node; so it refers to nothing outside itself but types.
 */
export class TextCut {
  /** In UTF-16 units. A longer word is cut in the middle. */
  longestDroppedWord = 16;
  /** Making it takes longer than to cut a text. */
  words = new Intl.Segmenter(undefined, { granularity: "word" });
  /** Makes a paragraph of atoms. */
  paragraphOf: (atoms: Atom[]) => Paragraph;

  constructor(paragraphOf: (atoms: Atom[]) => Paragraph) {
    this.paragraphOf = paragraphOf;
  }

  /**
   * Keeps as many atoms as fit with an ellipsis, and drops the rest.
   * @returns undefined if not even one letter and the ellipsis fit
   */
  longest(task: TextTask, trial: Trial): Fitted | undefined {
    const { atoms } = task.paragraph;
    let [low, high] = [0, atoms.length];
    let best: Fitted | undefined;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const fitted = this.shortened(task, middle, trial);
      if (fitted) [best, low] = [fitted, middle];
      else high = middle;
    }
    return this.shortened(task, this.wholeWords(atoms, low), trial) ?? best ?? this.shortened(task, low, trial);
  }

  /** The first atoms of a text with an ellipsis, or undefined if they do not fit. */
  shortened(task: TextTask, count: number, trial: Trial): Fitted | undefined {
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
      trimStart: 0,
      trimEnd: 0,
      isForced: false,
    };
    const paragraph = this.paragraphOf([...atoms, ellipsis]);
    const fitted = trial({ ...task, paragraph });
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
    for (const { index } of this.words.segment(text)) {
      if (index > end) break;
      wordEnd = index;
    }
    if (end - wordEnd > this.longestDroppedWord) return count;
    let kept = 0;
    for (let length = 0; kept < count && length < wordEnd; kept++) length += atoms[kept]?.text.length ?? 0;
    return kept > 0 ? kept : count;
  }
}
