import { type Direction, directionOf, hasRtl } from "./bidi.ts";

/** One output of a template: the text before and after HTML escaping. */
export type Output = { text: string; escaped: string };

/**
 * A template writes each output as a placeholder: its number between two noncharacters. Text fields refuse both
 * characters, so no value can contain a placeholder.
 */
const PLACEHOLDER = /\ufffe(\d+)\uffff/g;

export function placeholder(index: number): string {
  return `\ufffe${index}\uffff`;
}

/** Replaces placeholders by their escaped outputs, without further treatment. */
export function fillPlain(html: string, outputs: Output[]): string {
  return html.replace(PLACEHOLDER, (_, index) => outputs[Number(index)]?.escaped ?? "");
}

/** How the texts of one document are written. */
export type TextSettings = {
  /** BCP 47, or "" if unknown. */
  language: string;
  /** The direction of the layout. */
  direction: Direction;
  /** Whether a text is the whole value of a field, rather than a part of one. */
  isWhole(text: string): boolean;
};

/**
 * The element around a stretch of text with a direction of its own. It is neither `<bdi>` nor does it have a `dir`
 * attribute, because `dir="auto"` on an element around it would then ignore its text.
 */
export const RUN_ELEMENT = "text-run";

/** The style of the elements around texts with a direction of their own. */
export const RUN_RULES = `${RUN_ELEMENT}{unicode-bidi:isolate;direction:ltr}${RUN_ELEMENT}[data-dir=rtl]{direction:rtl}`;

/** Attributes have no quotes, so that the element could not close an attribute around it. */
function wrapRun(html: string, direction: Direction): string {
  return `<${RUN_ELEMENT} data-dir=${direction}>${html}</${RUN_ELEMENT}>`;
}

/** Isolates a stretch of SVG text, in which only elements of SVG are drawn. */
function wrapCharacters(html: string, direction: Direction): string {
  return `${direction === "rtl" ? "\u2067" : "\u2066"}${html}\u2069`;
}

/** Returns the index after a tag or comment that starts at `start`. */
function tagEnd(html: string, start: number): number {
  const endAfter = (text: string, from: number) => {
    const found = html.indexOf(text, from);
    return found < 0 ? html.length : found + text.length;
  };
  if (html.startsWith("<!--", start)) return endAfter("-->", start + 4);
  for (let at = start + 1; at < html.length; at++) {
    const character = html[at];
    if (character === ">") return at + 1;
    if (character === '"' || character === "'") at = endAfter(character, at + 1) - 1;
  }
  return html.length;
}

type Piece = { isTag: boolean; html: string };

/** Splits a document into tags (with comments) and the stretches of text between them. */
function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  const tagStart = /<[a-zA-Z/!?]/g;
  let at = 0;
  for (let match = tagStart.exec(html); match; match = tagStart.exec(html)) {
    if (match.index > at) pieces.push({ isTag: false, html: html.slice(at, match.index) });
    at = tagEnd(html, match.index);
    tagStart.lastIndex = at;
    pieces.push({ isTag: true, html: html.slice(match.index, at) });
  }
  if (at < html.length) pieces.push({ isTag: false, html: html.slice(at) });
  return pieces;
}

type Place = { outputs: Output[]; settings: TextSettings; wrap: typeof wrapRun };

/** Writes one output among others, isolated where it is the whole value of a field. */
function writePart({ text, escaped }: Output, { settings, wrap }: Place): string {
  const direction = settings.isWhole(text) ? (directionOf(text) ?? "ltr") : undefined;
  return direction ? wrap(escaped, direction) : escaped;
}

/** Wraps each line by itself where lines differ in direction, because each is a paragraph. */
function wrapLines(text: string, html: string, wrap: typeof wrapRun): string {
  const directions = text.split("\n").map((line) => directionOf(line));
  const known = directions.filter((direction) => direction !== undefined);
  const [first = "ltr"] = known;
  const lines = html.split("\n");
  if (known.every((direction) => direction === first) || lines.length !== directions.length) return wrap(html, first);
  return lines.map((line, index) => (line === "" ? "" : wrap(line, directions[index] ?? first))).join("\n");
}

/**
 * Writes a stretch of text between two tags. The stretch is one phrase, such as "9 min read" of a number and a label, so
 * it is isolated as a whole, and each field inside it by itself.
 */
function writePhrase(html: string, place: Place): string {
  const [, before = "", phrase = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(html) ?? [];
  const outputs = [...phrase.matchAll(PLACEHOLDER)].flatMap(([, index]) => place.outputs[Number(index)] ?? []);
  const [only] = outputs;
  if (only && phrase === phrase.match(PLACEHOLDER)?.[0])
    return only.text === "" ? before + after : before + wrapLines(only.text, only.escaped, place.wrap) + after;
  const text = phrase.replace(PLACEHOLDER, (_, index) => place.outputs[Number(index)]?.text ?? "");
  const inner = phrase.replace(PLACEHOLDER, (_, index) => {
    const output = place.outputs[Number(index)];
    return output ? writePart(output, place) : "";
  });
  return before + place.wrap(inner, directionOf(text) ?? "ltr") + after;
}

/** Elements whose content is XML of its own, where an HTML element is not drawn. */
const FOREIGN = /^<(\/?)(?:svg|math)[\s/>]/i;
const MARK = /^<\/?mark[\s/>]/i;

/**
 * Writes the outputs of a template into its document: each stretch of text that contains an output is isolated, so that
 * its numbers and punctuation stand where the Unicode Bidirectional Algorithm puts them. Outputs in attributes and
 * comments are only escaped. A document without right-to-left letters stays as it is, because nothing in it can move.
 */
export function writeOutputs(html: string, outputs: Output[], settings: TextSettings): string {
  const isMixed = settings.direction === "rtl" || outputs.some(({ text }) => hasRtl(text)) || hasRtl(html);
  if (!isMixed) return fillPlain(html, outputs);
  let foreignDepth = 0;
  const pieces = piecesOf(html);
  const written = pieces.map(({ isTag, html: piece }, index) => {
    const foreign = isTag ? FOREIGN.exec(piece) : null;
    if (foreign) foreignDepth += foreign[1] ? -1 : piece.endsWith("/>") ? 0 : 1;
    if (isTag || !piece.includes("\ufffe")) return fillPlain(piece, outputs);
    // The parts of a text around a mark are one phrase, which an isolate would take apart.
    const isPartOfMark = [pieces[index - 1], pieces[index + 1]].some((next) => next && MARK.test(next.html));
    if (isPartOfMark) return fillPlain(piece, outputs);
    return writePhrase(piece, { outputs, settings, wrap: foreignDepth > 0 ? wrapCharacters : wrapRun });
  });
  return written.join("");
}
