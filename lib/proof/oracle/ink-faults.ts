import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import { type InkedStrip, sharedInk } from "#lib/proof/page/ink.ts";
import { type Box, boxAround, doMeet, type TextUnit } from "#lib/proof/page/text-unit.ts";
import { mapInPieces } from "#lib/slices.ts";

/** Fewer shared pixels are the soft edges of letters that touch. */
const SHARED_PIXELS = 6;

/** How many pairs of lines are reported. A thousand lines at one place would have half a million, in an answer of 70 MB. */
const MOST_PAIRS = 500;

/** Rounding of boxes to whole pixels. */
const ROUNDING_PX = 1.5;

/** How far ink may leave the box of its text along the line: side bearings and the overhang of italics, in em. */
const OVERHANG_EM = 0.14;

/** Punctuation may hang outside the edge of a text. */
const HANGING = /^[\p{P}\p{S}]+$/u;
const HANGING_EM = 0.6;

/** How far ink may leave the box across the line, in em: accents and descenders of a tight first or last line. */
const ACROSS_EM = 0.4;

type Sides = { before: number; after: number };

function nameOf({ field, text }: TextUnit): string {
  return field === "" ? `The text "${text.trim().slice(0, 30)}"` : `The field "${field}"`;
}

function farthest(ink: Box, box: Box): { along: Sides; across: Sides } {
  return {
    along: { before: box.left - ink.left, after: ink.right - box.right },
    across: { before: box.top - ink.top, after: ink.bottom - box.bottom },
  };
}

function outsideBy(ink: Box, box: Box): number {
  const { along, across } = farthest(ink, box);
  return Math.max(along.before, along.after, across.before, across.after);
}

/** The first and the last grapheme of the lines may hang, when they are punctuation. */
function overhang({ unit }: InkedStrip): number {
  const isHanging = unit.glyphs.some(({ text }, index) => {
    const isEdge =
      unit.glyphs[index - 1]?.line !== unit.glyphs[index]?.line ||
      unit.glyphs[index + 1]?.line !== unit.glyphs[index]?.line;
    return isEdge && HANGING.test(text);
  });
  return (isHanging ? HANGING_EM : OVERHANG_EM) * unit.fontSize;
}

function boxFault(strip: InkedStrip, ink: Box): Fault | undefined {
  const { unit } = strip;
  const { along, across } = farthest(ink, unit.box);
  const [inline, block] = unit.isVertical ? [across, along] : [along, across];
  const tooLong = Math.max(inline.before, inline.after) - Math.max(ROUNDING_PX, overhang(strip));
  const tooHigh = Math.max(block.before, block.after) - Math.max(ROUNDING_PX, unit.fontSize * ACROSS_EM);
  if (tooLong <= 0 && tooHigh <= 0) return undefined;
  const by = Math.round(tooLong > 0 ? Math.max(inline.before, inline.after) : Math.max(block.before, block.after));
  return { kind: "outside-box", field: unit.field, message: `${nameOf(unit)} leaves its box by ${by} px.`, box: ink };
}

/** One line against the canvas and the boxes around it. The worst fault is the one reported. */
function placeFault(strip: InkedStrip, canvas: Box): Fault | undefined {
  const { unit, ink } = strip;
  if (!ink) return undefined;
  const { field } = unit;
  if (ink.left <= 0 || ink.top <= 0 || ink.right >= canvas.right || ink.bottom >= canvas.bottom)
    return { kind: "outside-canvas", field, message: `${nameOf(unit)} touches the edge of the picture.`, box: ink };
  const cut = unit.clip ? outsideBy(ink, unit.clip) : 0;
  if (cut > ROUNDING_PX)
    return { kind: "clipped", field, message: `${nameOf(unit)} is cut off by ${Math.round(cut)} px.`, box: ink };
  const beyond = unit.panel ? outsideBy(ink, unit.panel) : 0;
  if (beyond > ROUNDING_PX)
    return {
      kind: "outside-box",
      field,
      message: `${nameOf(unit)} leaves the panel behind it by ${Math.round(beyond)} px.`,
      box: ink,
    };
  return boxFault(strip, ink);
}

function worstOf(faults: Fault[]): Fault[] {
  const order = ["outside-canvas", "clipped", "outside-box"];
  return faults.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)).slice(0, 1);
}

/** Ink beyond the canvas, beyond what cuts it off, beyond its panel and beyond its box. */
export function placeFaults({ units, strips, picture }: ExaminedPage): Fault[] {
  const canvas = { left: 0, top: 0, right: picture.width, bottom: picture.height };
  return units.flatMap(({ id }) =>
    worstOf(strips.filter(({ unit }) => unit.id === id).flatMap((strip) => placeFault(strip, canvas) ?? [])),
  );
}

function meetFault(a: InkedStrip, b: InkedStrip): Fault | undefined {
  const { pixels, box } = sharedInk(a, b);
  if (pixels < SHARED_PIXELS || !box) return undefined;
  const isOne = a.unit.id === b.unit.id;
  const message = isOne
    ? `${nameOf(a.unit)}: lines ${a.line + 1} and ${b.line + 1} meet in ${pixels} px.`
    : `${nameOf(a.unit)} and ${nameOf(b.unit).replace("The", "the")} meet in ${pixels} px.`;
  return { kind: isOne ? "lines-overlap" : "overlap", field: a.unit.field, message, box };
}

/** Ink of two texts, or of two lines, in the same pixels. A field that is drawn twice may stand on itself. */
export async function overlapFaults({ strips }: ExaminedPage): Promise<Fault[]> {
  const inked = strips.filter(({ ink }) => ink);
  let left = MOST_PAIRS;
  const found = await mapInPieces(inked, (a, index) =>
    inked.slice(index + 1).flatMap((b) => {
      if (left === 0) return [];
      const isSameField = a.unit.field !== "" && a.unit.field === b.unit.field && a.unit.id !== b.unit.id;
      if (isSameField || !a.ink || !b.ink || !doMeet(a.ink, b.ink)) return [];
      const fault = meetFault(a, b);
      if (!fault) return [];
      left--;
      return fault;
    }),
  );
  const byPair = Map.groupBy(found.flat(), ({ kind, field, message }) => `${kind} ${field} ${message.split(":")[0]}`);
  return [...byPair.values()].map((same) => {
    const [first] = same as [Fault];
    const boxes = same.flatMap(({ box }) => box ?? []);
    const more = same.length > 1 ? ` ${same.length - 1} more places.` : "";
    return { ...first, message: first.message + more, box: boxAround(boxes) };
  });
}
