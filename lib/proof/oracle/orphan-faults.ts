import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import { boxAround, type Glyph, inlineSize, type TextUnit } from "#lib/proof/page/text-unit.ts";

/** A text can have an orphan from this number of lines on. */
const LINES = 3;

/** Lines of scripts without spaces break between any words, so only a single character is an orphan there. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A last line that fills this much of the room is no orphan. */
const FULL_SHARE = 0.5;

/** The width of a space between words, in em. */
const SPACE_EM = 0.25;

const textOf = (glyphs: Glyph[]) => glyphs.map(({ text }) => text).join("");

/** Lines do not break at these, so the words around them are one. */
const UNBROKEN_SPACES = "\u00a0\u202f";

const isSpace = ({ text }: Glyph) => text.trim() === "" && !UNBROKEN_SPACES.includes(text);

function widthOf({ isVertical }: TextUnit, glyphs: Glyph[]): number {
  return glyphs.length === 0 ? 0 : inlineSize({ box: boxAround(glyphs.map(({ box }) => box)), isVertical });
}

/** The glyphs of the last word of a line, without the spaces around it. */
function lastWord(glyphs: Glyph[]): Glyph[] {
  const end = glyphs.findLastIndex((glyph) => !isSpace(glyph));
  const start = glyphs.findLastIndex((glyph, index) => index < end && isSpace(glyph));
  return glyphs.slice(start + 1, end + 1);
}

/** Whether a last line is as it is because nothing could join it: the word before it is too long, or alone on its line. */
function isUnavoidable(unit: TextUnit, lines: Glyph[][]): boolean {
  const [previous = [], last = []] = lines.slice(-2);
  const room = Math.max(inlineSize(unit), ...lines.map((line) => widthOf(unit, line)));
  const word = lastWord(previous);
  const joined = widthOf(unit, word) + widthOf(unit, last) + unit.fontSize * SPACE_EM;
  return widthOf(unit, last) > room * FULL_SHARE || joined > room || textOf(word) === textOf(previous).trim();
}

function orphanOf(unit: TextUnit): string | undefined {
  const lines = [...Map.groupBy(unit.glyphs, ({ line }) => line).values()];
  const [previous, last] = lines.slice(-2);
  if (lines.length < LINES || !previous || !last) return undefined;
  // The author ended the line before it.
  if (unit.text.slice(previous.at(-1)?.at, last[0]?.at).includes("\n")) return undefined;
  const text = textOf(last).trim();
  const letters = text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");
  if (letters === "") return undefined;
  if (UNSPACED.test(text)) return Array.from(new Intl.Segmenter().segment(letters)).length === 1 ? text : undefined;
  return /\s/.test(text) || isUnavoidable(unit, lines) ? undefined : text;
}

/** Texts of three lines and more whose last line is a single word, although the line before could give one. */
export function orphanFaults({ units }: ExaminedPage): Fault[] {
  return units.flatMap((unit) => {
    const orphan = orphanOf(unit);
    if (orphan === undefined) return [];
    const boxes = unit.glyphs.filter(({ line }) => line === unit.glyphs.at(-1)?.line).map(({ box }) => box);
    const message = `The last line is only "${orphan}".`;
    return [{ kind: "orphan", field: unit.field, message, box: boxAround(boxes) }];
  });
}
