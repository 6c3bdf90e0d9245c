import { type Direction, directionIn, directionOf, hasRtl } from "./bidi/bidi.ts";
import { escapeHtml } from "./escape-html.ts";
import { piecesOf } from "./html-pieces.ts";
import { divideLongWords, LONG_WORD_RULE } from "./long-words.ts";
import { fillPlain, fillText, type Output, PLACEHOLDER } from "./outputs.ts";
import { SPAN_RULES, writeSpans } from "./write-spans.ts";

/** How the texts of one document are written. */
export type TextSettings = {
  /** BCP 47, or "" if unknown. */
  language: string;
  /** The direction of the layout. */
  direction: Direction;
  /** Whether a text is the whole value of a field, rather than a part of one. */
  isWhole(text: string): boolean;
  /** The language of a text, by its field where it is the value of one. */
  languageOf(text: string): string;
  /** The text as it is drawn, with the hyphens and spaces of its language. Its other characters stay the same. */
  typeset(text: string): string;
  /** The value of a text field; empty for any other. */
  textOf(name: string): string;
  /** The language of a field's value. */
  languageOfField(name: string): string;
};

/**
 * The element around a stretch of text with a direction of its own. It is neither `<bdi>` nor does it have a `dir`
 * attribute, because `dir="auto"` on an element around it would then ignore its text.
 */
export const RUN_ELEMENT = "text-run";

/** The element around a part of a text that reads from left to right. */
export const LTR_ELEMENT = "ltr-part";

const LTR_RULE = `${LTR_ELEMENT}{unicode-bidi:embed;direction:ltr}${LTR_ELEMENT}[data-isolated]{unicode-bidi:isolate}`;

/** In a flex container the element of a run is a block: its text begins where the others of the layout do. */
const RUN_RULE = `${RUN_ELEMENT}{unicode-bidi:isolate;direction:ltr;text-align:-webkit-match-parent}${RUN_ELEMENT}[data-dir=rtl]{direction:rtl}`;

/** The style of the elements around texts with a direction of their own, and around parts that are set off. */
export const RUN_RULES = `${SPAN_RULES}${LONG_WORD_RULE}${LTR_RULE}${RUN_RULE}`;

/** What is set for a run. Undefined is what the element around it has. */
type Run = { direction: Direction | undefined; language: string | undefined };

/** Attributes have no quotes, so that the element could not close an attribute around it. */
function wrapRun(html: string, { direction, language }: Run): string {
  if (direction === undefined && language === undefined) return html;
  const attributes = [direction && ` data-dir=${direction}`, language && ` lang=${language}`];
  return `<${RUN_ELEMENT}${attributes.filter(Boolean).join("")}>${html}</${RUN_ELEMENT}>`;
}

/** Isolates a stretch of SVG text, in which only elements of SVG are drawn. */
function wrapCharacters(html: string, { direction }: Run): string {
  if (direction === undefined) return html;
  return `${direction === "rtl" ? "\u2067" : "\u2066"}${html}\u2069`;
}

/** Typesets an output and escapes it once. An output of a part of a field stays as the template made it. */
function writeText({ text, escaped, spans }: Output, settings: TextSettings): string {
  if (spans && spans.length > 0) return writeSpans(text, spans, (part) => settings.typeset(part));
  return settings.isWhole(text) ? escapeHtml(settings.typeset(text)) : escaped;
}

/** Parts that are isolated or embedded by characters, which would not hold beyond a break of the line. */
const LTR_PART = /\u2066([^\u202a-\u202e\u2066-\u2069<]*)\u2069|\u202a([^\u202a-\u202e\u2066-\u2069<]*)\u202c/g;

function writeLtrPart(_: string, isolated?: string, embedded?: string): string {
  const attribute = isolated === undefined ? "" : " data-isolated";
  return `<${LTR_ELEMENT}${attribute}>${isolated ?? embedded}</${LTR_ELEMENT}>`;
}

/** Writes an output for its place. SVG draws no elements of HTML, so parts of its texts are not set off. */
function drawOutput(output: Output, { settings, wrap }: Place): string {
  if (wrap === wrapCharacters) return writeText({ ...output, spans: [] }, settings);
  return divideLongWords(writeText(output, settings).replace(LTR_PART, writeLtrPart));
}

type Place = {
  outputs: Output[];
  settings: TextSettings;
  wrap: typeof wrapRun;
  /** Whether the document has right-to-left letters, so that texts must be isolated. */
  isMixed: boolean;
  /** The language that the element around the text has. */
  language: string;
};

/** Marks that keep a sign before its number in a language from right to left. They do not make the text one from left to right. */
const SIGN_MARKS = /^[\u061c\u200e\u200f]+(?=[-+\u2212])/;

/** The direction of a text by its words: of \u200e-1.2 مليون, from right to left. */
function runDirection(text: string, language: string): Direction | undefined {
  return directionIn(text.replace(SIGN_MARKS, ""), language) ?? directionOf(text);
}

/** What a run of a text needs beside what the element around it has. */
function runOf(text: string, { settings, isMixed, language }: Place): Run {
  const own = settings.languageOf(text);
  return {
    direction: isMixed ? (runDirection(text, own) ?? "ltr") : undefined,
    language: own === language || own === "" ? undefined : own,
  };
}

/**
 * The run of a value that is written in the language of the document. A range of numbers without letters reads in the
 * direction of the layout, because the patterns of that language expect it.
 */
function writtenRunOf(text: string, { settings, isMixed }: Place): Run {
  const direction = isMixed ? (runDirection(text, settings.language) ?? settings.direction) : undefined;
  return { direction, language: undefined };
}

/** Writes one output among others, with a run of its own where it is the whole value of a field. */
function writePart(output: Output, place: Place): string {
  if (output.html !== undefined) return output.html;
  const html = drawOutput(output, place);
  if (output.isWhole) return place.wrap(html, writtenRunOf(output.text, place));
  return place.settings.isWhole(output.text) ? place.wrap(html, runOf(output.text, place)) : html;
}

/** Writes a text that is alone. Lines that differ in direction get a run each, because each is a paragraph. */
function writeLines(output: Output, place: Place): string {
  if (output.html !== undefined) return output.html;
  const { text, spans = [] } = output;
  const html = drawOutput(output, place);
  const run = output.isWhole ? writtenRunOf(text, place) : runOf(text, place);
  const directions = text.split("\n").map((line) => runDirection(line, place.settings.languageOf(text)));
  const known = directions.filter((direction) => direction !== undefined);
  const isUniform = run.direction === undefined || known.every((direction) => direction === known[0]);
  const [direction = run.direction] = known;
  // The words of all lines together may have another direction than each line.
  if (isUniform && directions.length > 1) return place.wrap(html, { ...run, direction: run.direction && direction });
  // A part may reach over several lines, which an element for each line would cut.
  if (isUniform || spans.length > 0) return place.wrap(html, run);
  const lines = html.split("\n");
  const { wrap } = place;
  const wrapLine = (line: string, index: number) => wrap(line, { ...run, direction: directions[index] ?? known[0] });
  return lines.map((line, index) => (line === "" ? "" : wrapLine(line, index))).join("\n");
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
    return before + (only.text === "" ? "" : writeLines(only, place)) + after;
  const text = fillText(phrase, place.outputs);
  const inner = phrase.replace(PLACEHOLDER, (_, index) => {
    const output = place.outputs[Number(index)];
    return output ? writePart(output, place) : "";
  });
  return before + place.wrap(inner, { ...runOf(text, place), language: undefined }) + after;
}

/** Elements whose content is XML of its own, where an HTML element is not drawn. */
const FOREIGN = /^<(\/?)(?:svg|math)[\s/>]/i;
const MARK = /^<\/?mark[\s/>]/i;
/** The element that shows a fitted field. */
const FITTED = /\sdata-fit="([a-zA-Z0-9[\].]+)"/;
const LANG = /\slang=(?:"[^"]*"|'[^']*')/;

/** Gives the element of a fitted field the language of its text, unless the template states one. */
function writeFitted(tag: string, name: string, settings: TextSettings): string {
  const stated = LANG.exec(tag)?.[0];
  const lang = ` lang="${settings.languageOfField(name)}"`;
  if (stated === undefined) return tag.replace(FITTED, (mark) => mark + lang);
  return stated.length > ' lang=""'.length ? tag : tag.replace(LANG, lang);
}

/**
 * Writes the outputs of a template into its document. The element of a fitted field gets its language, and any other text
 * whose language is not the document's gets a run with it. In a document with right-to-left letters, each stretch of text
 * that contains an output is isolated, so that its numbers and punctuation stand where the Unicode Bidirectional Algorithm
 * puts them. Outputs in attributes and comments are only escaped.
 */
export function writeOutputs(html: string, outputs: Output[], settings: TextSettings): string {
  const isMixed = settings.direction === "rtl" || outputs.some(({ text }) => hasRtl(text)) || hasRtl(html);
  let foreignDepth = 0;
  let fitted = "";
  const pieces = piecesOf(html);
  const written = pieces.map(({ isTag, html: piece }, index) => {
    if (isTag) {
      const foreign = FOREIGN.exec(piece);
      if (foreign) foreignDepth += foreign[1] ? -1 : piece.endsWith("/>") ? 0 : 1;
      const tag = fillPlain(piece, outputs);
      const name = FITTED.exec(piece)?.[1];
      if (name === undefined) return tag;
      fitted = name;
      return writeFitted(tag, name, settings);
    }
    if (!piece.includes("\ufffe")) return piece;
    // The parts of a text around a mark are one phrase, which an isolate would take apart.
    const isPartOfMark = [pieces[index - 1], pieces[index + 1]].some((next) => next && MARK.test(next.html));
    if (isPartOfMark) return fillPlain(piece, outputs);
    const wrap = foreignDepth > 0 ? wrapCharacters : wrapRun;
    // The text of a fitted field inherits the language of its element.
    const own = fitted && fillText(piece, outputs).trim() === settings.textOf(fitted);
    const language = own ? settings.languageOfField(fitted) : settings.language;
    return writePhrase(piece, { outputs, settings, wrap, isMixed, language });
  });
  return written.join("");
}
