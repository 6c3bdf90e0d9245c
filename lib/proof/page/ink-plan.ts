import { mapInPieces } from "#lib/slices.ts";
import type { InkSlot } from "./ink-display.ts";
import { type Box, boxAround, doMeet, inflate, type TextUnit } from "./text-unit.ts";

/** One line of a text, and where its ink may be. */
export type Strip = {
  unit: TextUnit;
  line: number;
  /** The boxes of its graphemes. */
  box: Box;
  /** {@link box} with room for marks and overhangs. */
  region: Box;
  /** A line with emoji keeps their colours, so it has a picture without neighbours. */
  isColorful: boolean;
};

/** A strip, the picture that it is drawn in, and its channel there: 0 to 2, or 3 for every channel. */
export type PlacedStrip = Strip & { picture: number; channel: InkSlot["channel"] };

/** Room for the ink of a line beyond its boxes, in multiples of the font size: stacked marks of Vietnamese, Urdu and Tibetan. */
const INK_ROOM_EM = 0.9;

const ADDED_CHANNELS = 3;

const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u;

/** The lines of every unit. */
export function stripsOf(units: TextUnit[]): Strip[] {
  return units.flatMap((unit) => {
    const lines = Map.groupBy(unit.glyphs, ({ line }) => line);
    return [...lines].map(([line, glyphs]) => {
      const box = boxAround(glyphs.map((glyph) => glyph.box));
      const isColorful = EMOJI.test(glyphs.map(({ text }) => text).join(""));
      return { unit, line, box, region: inflate(box, unit.fontSize * INK_ROOM_EM), isColorful };
    });
  });
}

/** The channels of all pictures, counted from the first picture, that a strip takes. */
function takenBy({ picture, channel }: PlacedStrip): number[] {
  const first = picture * ADDED_CHANNELS;
  return channel === 3 ? [first, first + 1, first + 2] : [first + channel];
}

/**
 * Gives neighbours different channels or pictures, so that each pixel of ink belongs to one line. Hundreds of lines may have the same
 * place, so the time for each grows with the number of others and no faster.
 */
export async function planInk(strips: Strip[]): Promise<PlacedStrip[]> {
  const placed: PlacedStrip[] = [];
  return await mapInPieces(strips, (strip) => {
    const { region, isColorful } = strip;
    const taken = new Set<number>();
    for (const other of placed)
      if (doMeet(other.region, region)) for (const channel of takenBy(other)) taken.add(channel);
    const step = isColorful ? ADDED_CHANNELS : 1;
    const isTaken = (at: number) => taken.has(at) || (isColorful && (taken.has(at + 1) || taken.has(at + 2)));
    let slot = 0;
    while (isTaken(slot)) slot += step;
    const channel = isColorful ? 3 : ((slot % ADDED_CHANNELS) as InkSlot["channel"]);
    const own: PlacedStrip = { ...strip, picture: Math.floor(slot / ADDED_CHANNELS), channel };
    placed.push(own);
    return own;
  });
}

/** What the page has to colour for one picture. */
export function slotsOf(strips: PlacedStrip[], picture: number): InkSlot[] {
  return strips
    .filter((strip) => strip.picture === picture)
    .map(({ unit, line, channel }) => ({ unit: unit.id, line, channel }));
}
