import type { TextPart } from "#lib/type/text/numbers.ts";
import { isRtlLanguage } from "#lib/type/text/scripts.ts";

/** What a filter asks for: its name, its first argument, its named arguments, and the language to write in. */
export type WrittenForm = { filter: string; form: unknown; options: Record<string, unknown>; language: string };

type Written = {
  /** The value as the document writes it. */
  text: string;
  /** What comparisons and arithmetic use. */
  raw: number | string;
  /** What a template reads as properties, such as `amount` of `price.amount`. */
  facts?: Record<string, unknown>;
  /** Writes the value as a filter asks. Undefined where the filter is not for such a value. */
  rewrite?: (form: WrittenForm) => string | undefined;
};

/**
 * A value that is written in the language of its document, and has properties for the template. Liquid reads own properties
 * only; it calls the methods to compare.
 */
export class WrittenValue {
  readonly text: string;
  readonly #raw: number | string;
  readonly #rewrite: Written["rewrite"];

  constructor({ text, raw, facts, rewrite }: Written) {
    this.text = text;
    this.#raw = raw;
    this.#rewrite = rewrite;
    Object.assign(this, facts);
  }

  /** Writes the value as a filter asks. Undefined where the filter is not for such a value. */
  writtenAs(form: WrittenForm): string | undefined {
    return this.#rewrite?.(form);
  }

  toString(): string {
    return this.text;
  }

  valueOf(): number | string {
    return this.#raw;
  }

  equals(other: unknown): boolean {
    return this.#raw === (other instanceof WrittenValue ? other.#raw : other);
  }

  gt(other: unknown): boolean {
    return Number(this.#raw) > Number(other);
  }

  geq(other: unknown): boolean {
    return Number(this.#raw) >= Number(other);
  }

  lt(other: unknown): boolean {
    return Number(this.#raw) < Number(other);
  }

  leq(other: unknown): boolean {
    return Number(this.#raw) <= Number(other);
  }
}

/** The text of the pieces of a written number. */
export function joinParts(parts: TextPart[]): string {
  return parts.map(({ text }) => text).join("");
}

/** The pieces that only together read as a number. */
const FIGURE_TYPES = new Set(["integer", "group", "decimal", "fraction", "minusSign", "plusSign", "percentSign"]);

/** Marks that are not seen, and order the digits and signs beside them. */
const DIRECTION_MARKS = /^[\u061c\u200e\u200f]+$/;

/** Whether a sign stands right before its number, as in €415. A sign with letters from right to left has a space behind it. */
function isSignBeside(pieces: TextPart[]): boolean {
  return pieces.some(({ type }, index) => type === "currency" && pieces[index + 1]?.type === "integer");
}

/**
 * The pieces of a written number for a template to draw. Pieces in elements of their own are isolated from each other: from
 * right to left, those of 415,000 would read 000,415, and €415 would have its sign on the right. In such languages they are one
 * `integer`.
 */
export function piecesFor(parts: TextPart[], language: string): TextPart[] {
  if (!isRtlLanguage(language)) return parts;
  const pieces: TextPart[] = [];
  let figure: TextPart | undefined;
  for (const { type, text } of parts) {
    const last = pieces.at(-1);
    const isMark = DIRECTION_MARKS.test(text);
    const isFigure = FIGURE_TYPES.has(type) || (isMark && last === undefined);
    if (isFigure && figure) figure.text += text;
    else if (isMark && last) last.text += text;
    else {
      const piece = { type: isFigure ? "integer" : type, text };
      pieces.push(piece);
      figure = isFigure ? piece : undefined;
    }
  }
  return isSignBeside(pieces) ? [{ type: "integer", text: joinParts(pieces) }] : pieces;
}
