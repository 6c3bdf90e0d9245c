import { AppError } from "#lib/errors.ts";
import { decodePixels, type Pixels } from "#lib/images/decode-pixels.ts";
import type { DrawnPage } from "#lib/render/render-job.ts";
import { mapInPieces } from "#lib/slices.ts";
import { type InkedStrip, readInk } from "./ink.ts";
import { type PlacedStrip, planInk, slotsOf, stripsOf } from "./ink-plan.ts";
import { callDisplay, MAX_READ_CHARACTERS, READ_PAGE } from "./page-reader.ts";
import { type Faces, readFaces } from "./read-faces.ts";
import type { TextUnit } from "./text-unit.ts";

/** What the pictures of one page hold, before they are read. */
export type Captures = { units: TextUnit[]; strips: PlacedStrip[]; ground: Buffer; ink: Buffer[]; faces: Faces };

/** A drawn page, ready for the oracle. */
export type ExaminedPage = {
  units: TextUnit[];
  strips: InkedStrip[];
  faces: Faces;
  picture: Pixels;
  /** The picture without its texts. */
  ground: Pixels;
};

/** @throws AppError `invalid_data` when they are too many */
async function readUnits(page: DrawnPage): Promise<TextUnit[]> {
  const read = (await page.evaluate(READ_PAGE)) as TextUnit[] | number;
  if (typeof read !== "number") return read;
  const [got, limit] = [read, MAX_READ_CHARACTERS].map((count) => count.toLocaleString("en"));
  const message = `Got ${got} characters in the texts of the picture, want at most ${limit} to examine it. Send shorter texts or fewer items.`;
  throw new AppError("invalid_data", message);
}

/** Takes a picture without the texts, and pictures of the texts alone. @throws as the render; as {@link readUnits} */
export async function examinePage(page: DrawnPage): Promise<Captures> {
  const units = await readUnits(page);
  await page.evaluate(callDisplay("hideTexts"));
  const ground = await page.capture();
  await page.evaluate(callDisplay("prepareInk"));
  const strips = await planInk(stripsOf(units));
  const ink: Buffer[] = [];
  for (let picture = 0; picture <= Math.max(-1, ...strips.map((strip) => strip.picture)); picture++) {
    await page.evaluate(callDisplay("showInk", slotsOf(strips, picture)));
    ink.push(await page.capture());
  }
  return { units, strips, ground, ink, faces: await readFaces(page, units) };
}

/** Finds the ink of every line. Texts that overlap have up to a hundred pictures, so only one of them is decoded at a time. */
async function readStrips(strips: PlacedStrip[], ink: Buffer[]): Promise<InkedStrip[]> {
  const inked = new Map<PlacedStrip, InkedStrip>();
  for (const [picture, png] of ink.entries()) {
    const pixels = await decodePixels(png);
    const own = strips.filter((strip) => strip.picture === picture);
    for (const read of await mapInPieces(own, (strip) => [strip, readInk(strip, pixels)] as const)) inked.set(...read);
  }
  return strips.flatMap((strip) => inked.get(strip) ?? []);
}

/** Decodes the pictures and finds the ink of every line. */
export async function readCaptures(
  png: Buffer,
  { units, strips, ground, ink, faces }: Captures,
): Promise<ExaminedPage> {
  const inked = await readStrips(strips, ink);
  return { units, strips: inked, faces, picture: await decodePixels(png), ground: await decodePixels(ground) };
}
