import bidiFactory from "bidi-js";
import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import { boxAround, type Glyph, type TextUnit } from "#lib/proof/page/text-unit.ts";

const bidi = bidiFactory();

/** Characters that draw nothing: spaces, soft hyphens, joiners, and the controls that the engine adds or takes out. */
const UNDRAWN = /[\s\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

/** Overrides are taken out of every text. */
const OVERRIDES = /[\u202d\u202e]/gu;

/** Glyphs closer than this stand in the same place, such as parts of a ligature. */
const SAME_PLACE_PX = 1;

const middleOf = ({ box }: Glyph) => (box.left + box.right) / 2;

/** The direction of the first letter that has one; undefined for numbers and punctuation. */
function ownDirection(text: string): "ltr" | "rtl" | undefined {
  for (const character of text) {
    const type = bidi.getBidiCharTypeName(character);
    if (type === "L") return "ltr";
    if (type === "R" || type === "AL") return "rtl";
  }
  return undefined;
}

/** Pairs glyphs from the first one on with characters. A hyphen at the end of a line may be an added one. */
function pairFrom(drawn: Glyph[], wanted: Intl.SegmentData[]): Map<number, Glyph> | undefined {
  const found = new Map<number, Glyph>();
  for (const [index, glyph] of drawn.entries()) {
    const next = wanted[found.size];
    if (!next) break;
    if (glyph.text === next.segment) found.set(next.index, glyph);
    else if (found.size === 0 || !/[-\u2010]/u.test(glyph.text) || drawn[index + 1]?.line === glyph.line)
      return undefined;
  }
  return found.size === wanted.length ? found : undefined;
}

/** Pairs the drawn characters of a value with their glyphs, by the offset in the value. Undefined where the text shows another. */
function findValue({ glyphs }: TextUnit, value: string): Map<number, Glyph> | undefined {
  const drawn = glyphs.filter(({ text }) => !UNDRAWN.test(text));
  const wanted = Array.from(new Intl.Segmenter().segment(value)).filter(({ segment }) => !UNDRAWN.test(segment));
  for (const start of drawn.keys()) {
    const found = pairFrom(drawn.slice(start), wanted);
    if (found) return found;
  }
  return undefined;
}

/** The glyphs of one line in the order in which the algorithm puts them, from left to right. */
function orderOf(value: string, base: "ltr" | "rtl", line: [at: number, glyph: Glyph][]): Glyph[] {
  const levels = bidi.getEmbeddingLevels(value, base);
  const [first, last] = [line[0]?.[0] ?? 0, line.at(-1)?.[0] ?? 0];
  const byOffset = new Map(line);
  const indices = bidi.getReorderedIndices(value, levels, first, last);
  return indices.flatMap((index) => (index < first || index > last ? [] : (byOffset.get(index) ?? [])));
}

function misplaced(order: Glyph[]): Glyph | undefined {
  return order.find((glyph, index) => {
    const before = order[index - 1];
    return before !== undefined && middleOf(glyph) < middleOf(before) - SAME_PLACE_PX;
  });
}

/** @returns the glyphs around the first line that is out of order, and how it reads from left to right */
function disorderOf(unit: TextUnit, value: string): { glyphs: Glyph[]; drawn: string } | undefined {
  const text = value.replaceAll(OVERRIDES, "");
  const found = findValue(unit, text);
  if (!found || unit.isVertical) return undefined;
  const base = ownDirection(text) ?? unit.direction;
  for (const line of Map.groupBy(found, ([, glyph]) => glyph.line).values()) {
    const order = orderOf(text, base, line);
    if (!misplaced(order)) continue;
    const glyphs = order.toSorted((a, b) => middleOf(a) - middleOf(b));
    return { glyphs, drawn: glyphs.map((glyph) => glyph.text).join("") };
  }
  return undefined;
}

/** Numbers and punctuation are misplaced only where some text runs from right to left. */
function isBidirectional({ direction }: TextUnit, value: string): boolean {
  return (
    direction === "rtl" || ownDirection(value) === "rtl" || /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(value)
  );
}

/** Values whose characters are not where the Unicode bidirectional algorithm puts them for an isolated field. */
export function bidiFaults({ units }: ExaminedPage, values: string[]): Fault[] {
  return units.flatMap((unit) => {
    const shown = values.filter((value) => value !== "" && findValue(unit, value.replaceAll(OVERRIDES, "")));
    const texts = shown.length === 0 && unit.nodes === 1 ? [unit.text.trim()] : shown;
    return texts.flatMap((value) => {
      const disorder = isBidirectional(unit, value) ? disorderOf(unit, value) : undefined;
      if (!disorder) return [];
      const message = `"${value.slice(0, 40)}" reads "${disorder.drawn.slice(0, 40)}" from left to right.`;
      return [
        { kind: "bidi-order", field: unit.field, message, box: boxAround(disorder.glyphs.map(({ box }) => box)) },
      ];
    });
  });
}
