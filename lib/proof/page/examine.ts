import { decodePixels, type Pixels } from "#lib/images/decode-pixels.ts";
import type { DrawnPage } from "#lib/render/chromium/page.ts";
import { type InkedStrip, readInk } from "./ink.ts";
import { planInk, slotsOf, stripsOf } from "./ink-plan.ts";
import { callDisplay, READ_PAGE } from "./page-reader.ts";
import { type Faces, readFaces } from "./read-faces.ts";
import type { TextUnit } from "./text-unit.ts";

/** What the pictures of one page hold, before they are read. */
export type Captures = { units: TextUnit[]; ground: Buffer; ink: Buffer[]; faces: Faces };

/** A drawn page, ready for the oracle. */
export type ExaminedPage = {
  units: TextUnit[];
  strips: InkedStrip[];
  faces: Faces;
  picture: Pixels;
  /** The picture without its texts. */
  ground: Pixels;
};

/** Takes a picture without the texts, and pictures of the texts alone. @throws as the render */
export async function examinePage(page: DrawnPage): Promise<Captures> {
  const units = (await page.evaluate(READ_PAGE)) as TextUnit[];
  await page.evaluate(callDisplay("hideTexts"));
  const ground = await page.capture();
  await page.evaluate(callDisplay("prepareInk"));
  const strips = planInk(stripsOf(units));
  const ink: Buffer[] = [];
  for (let picture = 0; picture <= Math.max(-1, ...strips.map((strip) => strip.picture)); picture++) {
    await page.evaluate(callDisplay("showInk", slotsOf(strips, picture)));
    ink.push(await page.capture());
  }
  return { units, ground, ink, faces: await readFaces(page, units) };
}

/** Decodes the pictures and finds the ink of every line. */
export async function readCaptures(png: Buffer, { units, ground, ink, faces }: Captures): Promise<ExaminedPage> {
  const [picture, behind, ...inked] = await Promise.all([png, ground, ...ink].map(decodePixels));
  if (!picture || !behind) throw new Error("The page gave no picture.");
  const strips = planInk(stripsOf(units)).map((strip) => readInk(strip, inked));
  return { units, strips, faces, picture, ground: behind };
}
