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

/** Gives neighbours different channels or pictures, so that each pixel of ink belongs to one line. */
export function planInk(strips: Strip[]): PlacedStrip[] {
  const placed: PlacedStrip[] = [];
  for (const strip of strips) {
    const neighbours = placed.filter(({ region }) => doMeet(region, strip.region));
    const isFree = (picture: number, channel: number) =>
      neighbours
        .filter((other) => other.picture === picture)
        .every((other) => !strip.isColorful && !other.isColorful && other.channel !== channel);
    let slot = 0;
    const step = strip.isColorful ? ADDED_CHANNELS : 1;
    while (!isFree(Math.floor(slot / ADDED_CHANNELS), slot % ADDED_CHANNELS)) slot += step;
    const channel = strip.isColorful ? 3 : ((slot % ADDED_CHANNELS) as InkSlot["channel"]);
    placed.push({ ...strip, picture: Math.floor(slot / ADDED_CHANNELS), channel });
  }
  return placed;
}

/** What the page has to colour for one picture. */
export function slotsOf(strips: PlacedStrip[], picture: number): InkSlot[] {
  return strips
    .filter((strip) => strip.picture === picture)
    .map(({ unit, line, channel }) => ({ unit: unit.id, line, channel }));
}
