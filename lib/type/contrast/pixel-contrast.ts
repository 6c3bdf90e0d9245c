import type { Rgb } from "culori";
import type { Pixels } from "#lib/images/decode-pixels.ts";
import { inkOf, isShape, needOf, ratioOf } from "./known-contrast.ts";
import { luminance } from "./luminance.ts";
import { offsetsWithin, shapeReach } from "./shape-rule.ts";
import type { TextRun } from "./text-run.ts";

/** How much of a text has too little contrast: pixels of ink, all and failing, and the sum of the failing ratios. */
export type Tally = { ink: number; failing: number; ratios: number };

const CHANNELS = 3;
const MAX = 255;

/** Pixels with less ink are the soft edges of letters. */
const INK_COVER = 0.5;

/** Pixels with less ink show the ground. */
const GROUND_COVER = 0.05;

/** Where the ground is read beside the first and the last letter of a line. */
const MARGIN_PX = 4;

/** Letters that change nothing in the picture count as this part of their line box. */
const USUAL_COVER = 0.15;

/** The difference in a channel that letters of an unknown colour make. */
const VISIBLE_DIFFERENCE = 16;

/** Pixels of a text that are looked at. Larger areas are sampled. */
const SAMPLED_PIXELS = 100_000;

/**
 * Pixels of all texts of a picture together that are looked at. At least one row of each text is, also beyond this. A pixel takes 60 ns at
 * most: without this limit, 2,000 texts at one place took 7 s of the thread.
 */
const TOTAL_PIXELS = 4_000_000;

/** Square pixels of its line boxes. */
export function areaOf({ rects }: TextRun): number {
  return rects.reduce((sum, [, , across, down]) => sum + across * down, 0);
}

/** By how much the pixels of these texts exceed {@link TOTAL_PIXELS}: 1 where they do not. Each text has so many times fewer looked at. */
export function thinningOf(runs: readonly TextRun[]): number {
  const wanted = runs.reduce((sum, run) => sum + Math.min(areaOf(run), SAMPLED_PIXELS), 0);
  return Math.max(1, wanted / TOTAL_PIXELS);
}

function luminanceAt({ data }: Pixels, at: number): number {
  return luminance(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
}

/** Of how many rows of a text one is looked at. */
function rowStep(run: TextRun, thinning: number): number {
  return Math.ceil(Math.max(1, areaOf(run) / SAMPLED_PIXELS) * thinning);
}

/**
 * The rows of pixels in the lines of a text, as offsets of their first pixel and of the one after the last. Where not all are looked at,
 * those of a line are spread around its middle: the first ones of each line are above its letters.
 */
function* rowsOf(run: TextRun, { drawn, thinning }: Pictures): Generator<[start: number, end: number]> {
  const { width, height } = drawn;
  const lines = run.rects.map(([left, top, across, down]) => ({
    first: Math.max(0, Math.floor(left) - MARGIN_PX),
    last: Math.min(width, Math.ceil(left + across) + MARGIN_PX),
    top: Math.max(0, Math.floor(top)),
    bottom: Math.min(height, Math.ceil(top + down)),
  }));
  const rowsOfAll = lines.reduce((sum, { top, bottom }) => sum + Math.max(0, bottom - top), 0);
  // At least one row of each text.
  const step = Math.min(rowStep(run, thinning), rowsOfAll);
  let due = 0.5;
  for (const { first, last, top, bottom } of lines) {
    if (bottom <= top) continue;
    due += (bottom - top) / step;
    const count = Math.floor(due);
    due -= count;
    for (let index = 0; index < count; index++) {
      const start = (top + Math.floor(((index + 0.5) * (bottom - top)) / count)) * width;
      yield [(start + first) * CHANNELS, (start + last) * CHANNELS];
    }
  }
}

function add(tally: Tally, { ink, ratio, want }: { ink: number; ratio: number; want: number }): void {
  tally.ink += ink;
  if (ratio >= want) return;
  tally.failing += ink;
  tally.ratios += ink * ratio;
}

type Pictures = {
  /** The picture as it is sent. */
  drawn: Pixels;
  /** The same with the text in its {@link otherColor}. */
  other: Pixels;
  /** See {@link thinningOf}. */
  thinning: number;
};

function bytesOf({ r, g, b }: Rgb): [number, number, number] {
  return [r, g, b].map((share) => Math.round(share * MAX)) as [number, number, number];
}

/** The colour in which the second picture draws a text: far from its own, or none where its own is not known. */
export function otherColor(run: TextRun): string {
  const ink = plainInk(run);
  if (!ink) return "transparent";
  return `rgb(${ink.map((value) => (value > MAX / 2 ? 0 : MAX)).join(" ")})`;
}

/** The bytes of the letters in the picture, where they are opaque and of one known colour. */
function plainInk(run: TextRun): [number, number, number] | undefined {
  const ink = inkOf(run);
  return ink && ink.alpha === 1 ? bytesOf(ink) : undefined;
}

type Letters = { ink: [number, number, number]; want: number };

/** Compares the ink of one row with the nearest ground in it: behind a letter the ground itself cannot be seen. */
function tallyRow(tally: Tally, [start, end]: [number, number], pictures: Pictures, { ink, want }: Letters): void {
  const { drawn, other } = pictures;
  const own = luminance(...ink);
  const reach = ink.reduce((sum, value) => sum + Math.max(value, MAX - value), 0);
  let pending: number[] = [];
  let before: number | undefined;
  const settle = (at: number | undefined) => {
    for (const pixel of pending) {
      const isNearer = before === undefined || (at !== undefined && at - pixel < pixel - before);
      const ground = isNearer ? at : before;
      if (ground !== undefined) add(tally, { ink: 1, ratio: ratioOf(own, luminanceAt(drawn, ground)), want });
    }
    pending = [];
  };
  for (let at = start; at < end; at += CHANNELS) {
    let change = 0;
    for (let channel = 0; channel < CHANNELS; channel++)
      change += Math.abs((drawn.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0));
    const cover = change / reach;
    if (cover >= INK_COVER) pending.push(at);
    else if (cover <= GROUND_COVER) {
      settle(at);
      before = at;
    }
  }
  settle(undefined);
}

function differs({ drawn, other }: Pictures, at: number): boolean {
  for (let channel = at; channel < at + CHANNELS; channel++)
    if (Math.abs((drawn.data[channel] ?? 0) - (other.data[channel] ?? 0)) >= VISIBLE_DIFFERENCE) return true;
  return false;
}

/** The distances in bytes at which a pixel's contrast is looked up: the soft edge of a letter, or all that is near a contour. */
function placesAround(run: TextRun, width: number): number[] {
  const cross: [number, number][] = [
    [0, 0],
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ];
  const offsets = isShape(run) ? offsetsWithin(shapeReach(run.fontSize)) : cross;
  return offsets.map(([x, y]) => (y * width + x) * CHANNELS);
}

/** Letters of an unknown colour: a pixel counts with the best contrast around it, and of shapes only the contour counts. */
function tallyDifference(run: TextRun, pictures: Pictures): Tally {
  const tally: Tally = { ink: 0, failing: 0, ratios: 0 };
  const { drawn, other } = pictures;
  const { ratio: want } = needOf(run);
  const row = drawn.width * CHANNELS;
  const around = placesAround(run, drawn.width);
  const isContour = (at: number) =>
    !isShape(run) || [-CHANNELS, CHANNELS, -row, row].some((offset) => !differs(pictures, at + offset));
  let hasInk = false;
  let looked = 0;
  for (const [start, end] of rowsOf(run, pictures))
    for (let at = start; at < end; at += CHANNELS) {
      looked++;
      if (!differs(pictures, at)) continue;
      hasInk = true;
      if (!isContour(at)) continue;
      let ratio = 1;
      for (const offset of around) {
        const near = at + offset;
        if (near >= 0 && near < drawn.data.length)
          ratio = Math.max(ratio, ratioOf(luminanceAt(drawn, near), luminanceAt(other, near)));
        if (ratio >= want) break;
      }
      add(tally, { ink: 1, ratio, want });
    }
  if (!hasInk) add(tally, { ink: looked * USUAL_COVER, ratio: 1, want });
  return tally;
}

/** Compares a picture with one whose text has its {@link otherColor}, so that they differ by the letters alone. */
export function tallyPixels(run: TextRun, pictures: Pictures): Tally {
  const ink = plainInk(run);
  if (!ink) return tallyDifference(run, pictures);
  const tally: Tally = { ink: 0, failing: 0, ratios: 0 };
  const letters = { ink, want: needOf(run).ratio };
  for (const row of rowsOf(run, pictures)) tallyRow(tally, row, pictures, letters);
  return tally;
}
