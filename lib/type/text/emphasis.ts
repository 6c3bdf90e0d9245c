import { MarkedText, type Span } from "./marks.ts";

const KINDS = { "**": "strong", "*": "em", "==": "mark" } as const;

type Delimiter = keyof typeof KINDS;

/** A delimiter that may begin a span: its places in the text with all open delimiters, and in the list of pieces. */
type Opener = { delimiter: Delimiter; piece: number };

type Piece = { text: string; opens?: Span["kind"]; closes?: Span["kind"] };

/** What a run of delimiters may do: it begins a span before a character, and ends one after a character. */
type Sides = { opens: boolean; closes: boolean };

/** A sequence of the same sign, an escaped sign, or any other text. */
const TOKENS = /\\[\\*=]|\*+|==|[^\\*=]+|[\\=]/gu;

class Parser {
  pieces: Piece[] = [];
  openers: Opener[] = [];
  /** How many openers of each delimiter there are. Without it, a text of signs that end nothing would be looked through for each of them. */
  counts: Record<Delimiter, number> = { "**": 0, "*": 0, "==": 0 };

  /** The place of the innermost opener of these delimiters, or -1. */
  innermost(known: readonly Delimiter[]): number {
    if (known.every((delimiter) => this.counts[delimiter] === 0)) return -1;
    return this.openers.findLastIndex(({ delimiter }) => known.includes(delimiter));
  }

  /** Whether nothing was written since a piece. */
  isEmptySince(piece: number): boolean {
    for (let at = piece + 1; at < this.pieces.length; at++) if (this.pieces[at]?.text !== "") return false;
    return true;
  }

  /** Ends the innermost span of this delimiter. Those that began inside it stay signs. */
  close(delimiter: Delimiter): boolean {
    const at = this.innermost([delimiter]);
    const opener = this.openers[at];
    if (!opener || this.isEmptySince(opener.piece)) return false;
    this.pieces[opener.piece] = { text: "", opens: KINDS[delimiter] };
    this.pieces.push({ text: "", closes: KINDS[delimiter] });
    for (const ended of this.openers.splice(at)) this.counts[ended.delimiter]--;
    return true;
  }

  open(delimiter: Delimiter): void {
    this.openers.push({ delimiter, piece: this.pieces.length });
    this.counts[delimiter]++;
    this.pieces.push({ text: delimiter });
  }

  /** Reads one delimiter at the start of a run. @returns its length */
  readDelimiter(left: number, sign: string, { opens, closes }: Sides): number {
    const known: Delimiter[] = sign === "=" ? ["=="] : left >= 2 ? ["**", "*"] : ["*"];
    const innermost = closes ? this.openers[this.innermost(known)]?.delimiter : undefined;
    // Two asterisks end bold text that has begun. Of three, the first ones end the innermost span.
    const wanted = left === 2 || innermost === undefined ? known : [innermost, ...known];
    const closed = closes ? wanted.find((delimiter) => this.close(delimiter)) : undefined;
    if (closed) return closed.length;
    const [first = "*"] = known;
    if (opens) this.open(first);
    else this.pieces.push({ text: first });
    return first.length;
  }

  readRun(run: string, sides: Sides): void {
    for (let left = run.length; left > 0; ) left -= this.readDelimiter(left, run[0] ?? "*", sides);
  }

  result(): MarkedText {
    let text = "";
    const starts: { kind: Span["kind"]; start: number }[] = [];
    const spans: Span[] = [];
    for (const piece of this.pieces) {
      text += piece.text;
      if (piece.opens) starts.push({ kind: piece.opens, start: text.length });
      const started = piece.closes ? starts.pop() : undefined;
      if (started) spans.push({ ...started, end: text.length });
    }
    return new MarkedText(text, spans);
  }
}

const isText = (character: string | undefined) => character !== undefined && !/\s/u.test(character);

/**
 * Reads the inline subset of Markdown: `**bold**`, `*italic*` and `==mark==`, which may contain each other. A delimiter begins
 * a span only before a character that is no space, and ends one only after such a character. A span ends inside the one that
 * it began in. Delimiters without their counterpart, and those after a backslash, are ordinary signs.
 */
export function readEmphasis(source: string): MarkedText {
  const parser = new Parser();
  for (const match of source.matchAll(TOKENS)) {
    const [token] = match;
    const isDelimiter = /^(?:\*+|==)$/.test(token);
    const sides = { opens: isText(source[match.index + token.length]), closes: isText(source[match.index - 1]) };
    if (isDelimiter) parser.readRun(token, sides);
    else parser.pieces.push({ text: /^\\[\\*=]$/.test(token) ? token.slice(1) : token });
  }
  return parser.result();
}
