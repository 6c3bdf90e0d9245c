import bidiFactory from "bidi-js";
import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import { boxAround, type Glyph, type TextUnit } from "#lib/proof/page/text-unit.ts";
import { keepLtrParts } from "#lib/type/text/bidi/ltr-parts.ts";

const bidi = bidiFactory();

/** Characters that draw nothing: spaces, soft hyphens, joiners, and the controls that the engine adds or takes out. */
const UNDRAWN = /[\s\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

/** Overrides are taken out of every text. */
const OVERRIDES = /[\u202d\u202e]/gu;

/** Glyphs closer than this stand in the same place, such as parts of a ligature. */
const SAME_PLACE_PX = 1;

const middleOf = ({ box }: Glyph) => (box.left + box.right) / 2;

type Direction = TextUnit["direction"];

/** The direction of the first letter that has one; undefined for numbers and punctuation. */
function ownDirection(text: string): Direction | undefined {
  for (const character of text) {
    const type = bidi.getBidiCharTypeName(character);
    if (type === "L") return "ltr";
    if (type === "R" || type === "AL") return "rtl";
  }
  return undefined;
}

/**
 * The directions that a text may be read in. A text may begin with a word of the other direction than its language, such as a name.
 * @param neutral the direction of a text without letters
 */
function directionsOf(text: string, neutral: Direction): Direction[] {
  const words = text.split(/\s+/).flatMap((word) => ownDirection(word) ?? []);
  const own = ownDirection(text) ?? neutral;
  const others = words.filter((word) => word !== own).length;
  return others * 2 < words.length || words.length === 0 ? [own] : ["ltr", "rtl"];
}

/** What is compared of a text: its graphemes that draw something, and all of them but hyphens as one string. */
type Compared<Part> = { parts: Part[]; letters: string };

/** A value of the page is compared with every unit, so that both are read once only. */
type Value = Compared<Intl.SegmentData> & { text: string };
type Unit = Compared<Glyph> & { unit: TextUnit };

const HYPHEN = /[-\u2010]/u;
const HYPHENS = /[-\u2010]/gu;

const segmenter = new Intl.Segmenter();

const lettersOf = (graphemes: string[]) => graphemes.join("").replaceAll(HYPHENS, "");

function readValue(value: string): Value {
  const text = value.replaceAll(OVERRIDES, "");
  const parts = Array.from(segmenter.segment(text)).filter(({ segment }) => !UNDRAWN.test(segment));
  return { text, parts, letters: lettersOf(parts.map(({ segment }) => segment)) };
}

function readUnit(unit: TextUnit): Unit {
  const parts = unit.glyphs.filter(({ text }) => !UNDRAWN.test(text));
  return { unit, parts, letters: lettersOf(parts.map(({ text }) => text)) };
}

type Pair = [at: number, glyph: Glyph];

/** Pairs the characters of a value with glyphs from `start` on. A hyphen at the end of a line may be an added one. */
function pairFrom(drawn: Glyph[], start: number, wanted: Intl.SegmentData[]): Pair[] | undefined {
  const found: Pair[] = [];
  for (let index = start; index < drawn.length && found.length < wanted.length; index++) {
    const [glyph, next] = [drawn[index], wanted[found.length]];
    if (!glyph || !next) return undefined;
    if (glyph.text === next.segment) found.push([next.index, glyph]);
    else if (found.length === 0 || !HYPHEN.test(glyph.text) || drawn[index + 1]?.line === glyph.line) return undefined;
  }
  return found.length === wanted.length ? found : undefined;
}

/** Pairs the drawn characters of a value with their glyphs, by the offset in the value. Undefined where the text shows another. */
function findValue({ parts: drawn, letters }: Unit, value: Value): Pair[] | undefined {
  if (!letters.includes(value.letters)) return undefined;
  for (let start = 0; start + value.parts.length <= drawn.length; start++) {
    const found = pairFrom(drawn, start, value.parts);
    if (found) return found;
  }
  return undefined;
}

/** A character of two code units and its type. The second unit is a soft hyphen, which has no effect on the order. */
const STAND_INS: Record<string, string> = {
  R: "א\u00ad",
  AL: "ا\u00ad",
  AN: "٠\u00ad",
  EN: "0\u00ad",
  NSM: "\u0300\u00ad",
  ON: "!\u00ad",
};

/** bidi-js reads code units. Halves of a character, such as those of Adlam, would be letters from left to right. */
function inSingleUnits(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (found) => STAND_INS[bidi.getBidiCharTypeName(found)] ?? found);
}

/** Of each code unit of a text, its offset in the value without the controls that keep the order of parts: undefined for these. */
function offsetsIn(kept: string, value: string): (number | undefined)[] {
  let at = 0;
  return kept.split("").map((unit) => (unit === value[at] || unit === "\u00a0" ? at++ : undefined));
}

/** The glyphs of one line in the order in which the algorithm puts them, from left to right. */
function orderOf(value: string, base: Direction, line: Pair[]): Glyph[] {
  const kept = keepLtrParts(value);
  const offsets = offsetsIn(kept, value);
  const units = inSingleUnits(kept);
  const levels = bidi.getEmbeddingLevels(units, base);
  const [first, last] = [line[0]?.[0] ?? 0, line.at(-1)?.[0] ?? 0];
  const byOffset = new Map(line);
  const [start, end] = [offsets.indexOf(first), offsets.lastIndexOf(last)];
  const indices = bidi.getReorderedIndices(units, levels, start, end);
  return indices.flatMap((index) => (index < start || index > end ? [] : (byOffset.get(offsets[index] ?? -1) ?? [])));
}

function misplaced(order: Glyph[]): Glyph | undefined {
  return order.find((glyph, index) => {
    const before = order[index - 1];
    return before !== undefined && middleOf(glyph) < middleOf(before) - SAME_PLACE_PX;
  });
}

/**
 * @param neutral the direction of a value without letters
 * @returns the glyphs around the first line that is out of order, and how it reads from left to right
 */
function disorderOf(read: Unit, value: Value, neutral: Direction): { glyphs: Glyph[]; drawn: string } | undefined {
  const found = read.unit.isVertical ? undefined : findValue(read, value);
  if (!found) return undefined;
  const lines = [...Map.groupBy(found, ([, glyph]) => glyph.line).values()];
  const disorders = directionsOf(value.text, neutral).map((base) =>
    lines.map((line) => orderOf(value.text, base, line)).find(misplaced),
  );
  const [order] = disorders;
  if (!order || disorders.includes(undefined)) return undefined;
  const glyphs = order.toSorted((a, b) => middleOf(a) - middleOf(b));
  return { glyphs, drawn: glyphs.map((glyph) => glyph.text).join("") };
}

/** Numbers and punctuation are misplaced only where some text runs from right to left. */
function isBidirectional({ direction }: TextUnit, value: string): boolean {
  return (
    direction === "rtl" || ownDirection(value) === "rtl" || /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(value)
  );
}

/** Values whose characters are not where the Unicode bidirectional algorithm puts them for an isolated field. */
export function bidiFaults({ units }: ExaminedPage, values: string[]): Fault[] {
  const wanted = [...new Set(values)].filter((value) => value !== "").map(readValue);
  return units.flatMap((unit) => {
    const read = readUnit(unit);
    const found = wanted.filter((value) => findValue(read, value));
    // The 2–1 of one field is part of the sentence of another, which has its own direction.
    const shown = found.filter(({ text }) => !found.some((other) => other.text !== text && other.text.includes(text)));
    const texts = shown.length === 0 && unit.nodes === 1 ? [readValue(unit.text.trim())] : shown;
    // An isolated field reads from left to right without letters, as telephone numbers do. Numbers that the template writes read as it does.
    const neutral = shown.length === 0 ? unit.direction : "ltr";
    return texts.flatMap((value) => {
      const disorder = isBidirectional(unit, value.text) ? disorderOf(read, value, neutral) : undefined;
      if (!disorder) return [];
      const message = `"${value.text.slice(0, 40)}" reads "${disorder.drawn.slice(0, 40)}" from left to right.`;
      return [
        { kind: "bidi-order", field: unit.field, message, box: boxAround(disorder.glyphs.map(({ box }) => box)) },
      ];
    });
  });
}
