import type { Pixels } from "#lib/images/decode-pixels.ts";
import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import type { InkedStrip } from "#lib/proof/page/ink.ts";
import { offsetOf } from "#lib/proof/page/pixels.ts";
import type { TextUnit } from "#lib/proof/page/text-unit.ts";
import { mapInPieces } from "#lib/slices.ts";
import { ratioOf } from "#lib/type/contrast/known-contrast.ts";
import { luminance } from "#lib/type/contrast/luminance.ts";
import { offsetsWithin, SHAPE_RULE, shapeReach } from "#lib/type/contrast/shape-rule.ts";

/** WCAG 2.2, success criterion 1.4.3, in CSS pixels: 18 pt, or 14 pt in bold. */
const LARGE_PX = 24;
const LARGE_BOLD_PX = 18.66;
const BOLD = 700;
const RATIO = 4.5;
const LARGE_RATIO = 3;

/** Pixels that are wholly ink, and those from which the colour of the ink can still be computed. */
const SOLID_COVER = 245;
const USABLE_COVER = 128;
const SOLID_PIXELS = 16;

/** The share of a line's pixels that may be below the ratio: the rims of antialiased letters and of images. */
const TOLERATED_SHARE = 0.12;

/** Letters filled with a picture have many colours, and are read by their outline: half of it suffices. */
const PICTURE_SHARE = 0.5;
const PICTURE_COLORS = 4;

/** Bits of a channel in which two colours of ink count as the same. */
const COARSE_SHIFT = 5;

/** Rounding of colours to eight bits. */
const TOLERANCE = 0.97;

const MAX = 255;

/** The loops below see millions of pixels, so that they make no object for one. */
function luminanceAt({ data }: Pixels, at: number): number {
  return luminance(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
}

/** The luminance of the ink alone, from a pixel of which it covers a part. */
function inkLuminance(drawn: Buffer, behind: Buffer, { at, cover }: { at: number; cover: number }): number {
  const share = cover / MAX;
  const own = (channel: number) => {
    const value = ((drawn[at + channel] ?? 0) - (1 - share) * (behind[at + channel] ?? 0)) / share;
    return Math.max(0, Math.min(MAX, Math.round(value)));
  };
  return luminance(own(0), own(1), own(2));
}

/** The same number for colours that are much alike. */
function coarseColor({ data }: Pixels, at: number): number {
  const coarse = (channel: number) => (data[at + channel] ?? 0) >> COARSE_SHIFT;
  return (coarse(0) << (2 * COARSE_SHIFT)) | (coarse(1) << COARSE_SHIFT) | coarse(2);
}

type Ratios = {
  /** The contrast of each visible pixel of ink with what is behind it, ascending. */
  ratios: Float64Array;
  /** How many clearly different colours the solid ink has. */
  colors: number;
};

function solidPixels(cover: Uint8Array): number {
  let solid = 0;
  for (const value of cover) if (value >= SOLID_COVER) solid++;
  return solid;
}

function ratiosOf({ area, cover, unit: { clip } }: InkedStrip, { picture, ground }: ExaminedPage): Ratios {
  const width = area.right - area.left;
  const solid = solidPixels(cover);
  const least = solid >= SOLID_PIXELS ? SOLID_COVER : USABLE_COVER;
  const ratios: number[] = [];
  const colors = new Map<number, number>();
  for (let index = 0; index < cover.length; index++) {
    const value = cover[index] ?? 0;
    if (value < least) continue;
    const x = area.left + (index % width);
    const y = area.top + Math.floor(index / width);
    if (clip && (x < clip.left || x >= clip.right || y < clip.top || y >= clip.bottom)) continue;
    const at = offsetOf(picture, x, y);
    const behind = luminanceAt(ground, at);
    if (value < SOLID_COVER) {
      ratios.push(ratioOf(inkLuminance(picture.data, ground.data, { at, cover: value }), behind));
      continue;
    }
    ratios.push(ratioOf(luminanceAt(picture, at), behind));
    const coarse = coarseColor(picture, at);
    colors.set(coarse, (colors.get(coarse) ?? 0) + 1);
  }
  const seen = [...colors.values()].filter((count) => count > solid / 200);
  return { ratios: Float64Array.from(ratios).sort(), colors: seen.length };
}

/** Whether {@link SHAPE_RULE} judges the letters of a text. */
function isShape({ fontSize, isCutOut }: TextUnit): boolean {
  return isCutOut && fontSize >= SHAPE_RULE.leastSize;
}

/** The best contrast near each place of the contour of letters, ascending. */
function contourRatios({ area, cover, unit }: InkedStrip, { picture, ground }: ExaminedPage): number[] {
  const width = area.right - area.left;
  const offsets = offsetsWithin(shapeReach(unit.fontSize));
  const isInk = (index: number) => (cover[index] ?? 0) >= USABLE_COVER;
  const ratios: number[] = [];
  for (let index = 0; index < cover.length; index++) {
    if (!isInk(index) || [-1, 1, -width, width].every((next) => isInk(index + next))) continue;
    const [x, y] = [area.left + (index % width), area.top + Math.floor(index / width)];
    let best = 1;
    for (const [across, down] of offsets) {
      const [nearX, nearY] = [x + across, y + down];
      if (nearX < 0 || nearY < 0 || nearX >= picture.width || nearY >= picture.height) continue;
      const at = offsetOf(picture, nearX, nearY);
      best = Math.max(best, ratioOf(luminanceAt(picture, at), luminanceAt(ground, at)));
      if (best >= LARGE_RATIO) break;
    }
    ratios.push(best);
  }
  return ratios.sort((a, b) => a - b);
}

/** The contrast that most of a line has at least; undefined for a line without ink or with emoji, which have their own colours. */
export function contrastOf(strip: InkedStrip, page: ExaminedPage): number | undefined {
  if (strip.isColorful) return undefined;
  if (isShape(strip.unit)) {
    const contour = contourRatios(strip, page);
    return contour[Math.floor(contour.length * SHAPE_RULE.toleratedShare)];
  }
  const { ratios, colors } = ratiosOf(strip, page);
  const share = colors >= PICTURE_COLORS ? PICTURE_SHARE : TOLERATED_SHARE;
  return ratios[Math.floor(ratios.length * share)];
}

export function wantedRatio(unit: TextUnit): number {
  if (isShape(unit)) return SHAPE_RULE.ratio;
  const { fontSize, fontWeight } = unit;
  return fontSize >= LARGE_PX || (fontSize >= LARGE_BOLD_PX && fontWeight >= BOLD) ? LARGE_RATIO : RATIO;
}

/** Texts whose ink is too much like what is behind it, in the picture itself. */
export async function contrastFaults(page: ExaminedPage): Promise<Fault[]> {
  const found = await mapInPieces(page.strips, (strip) => {
    const { unit, ink, line } = strip;
    const [got, want] = [contrastOf(strip, page), wantedRatio(unit)];
    if (got === undefined || !ink || got >= want * TOLERANCE) return [];
    const message = `Line ${line + 1} of ${unit.field === "" ? `"${unit.text.trim().slice(0, 30)}"` : `the field "${unit.field}"`} has a contrast of ${got.toFixed(2)}, want ${want}.`;
    return [{ unit: unit.id, fault: { kind: "contrast" as const, field: unit.field, message, box: ink } }];
  });
  return [...Map.groupBy(found.flat(), ({ unit }) => unit).values()].flatMap(([first]) => first?.fault ?? []);
}
