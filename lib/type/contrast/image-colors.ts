import { converter, parse, wcagContrast } from "culori";
import type { PaletteColor } from "#lib/images/prepare/palette.ts";
import { composeOver, inkOn, readableOn } from "./colors.ts";

/** The colours of an image for a template, as `#rrggbb`. */
export type ImageColors = {
  /** The colour that covers most of the image. */
  dominant: string;
  /** Black or white, whichever is easier to read on the dominant colour. */
  ink: string;
  /** The most vivid colour, lighter or darker where it takes that to be readable on the dominant one. */
  accent: string;
};

/** What a template gets before there is an image, or for one of which nothing is seen. */
const NO_COLORS: ImageColors = { dominant: "#808080", ink: "#000000", accent: "#000000" };

/** The chroma of OKLCH from which a colour is no grey. */
const MIN_CHROMA = 0.04;

/** A plate for a logo, by its name for the template. */
const PLATES = { light: "#ffffff", dark: "#111111" } as const;

/** A colour with less contrast to its ground than this is hard to see there; letters cut out of pictures want as much. */
const MIN_CONTRAST = 2;

/** How much of an image has to stand out from its ground. */
const MIN_SHARE = 0.7;

const toOklch = converter("oklch");

/** How much a colour catches the eye: vivid ones do, and large ones more than small ones. */
function vividness({ color, share }: PaletteColor): number {
  const chroma = toOklch(parse(color))?.c ?? 0;
  return chroma < MIN_CHROMA ? 0 : chroma * Math.sqrt(share);
}

/** Names the colours of an image. */
export function nameColors(palette: PaletteColor[]): ImageColors {
  const [first] = palette;
  if (!first) return NO_COLORS;
  const dominant = first.color;
  const ink = inkOn(dominant);
  const others = palette.filter(({ color }) => color !== dominant && vividness({ color, share: 1 }) > 0);
  const [vivid] = others.toSorted((a, b) => vividness(b) - vividness(a));
  return { dominant, ink, accent: vivid ? readableOn(vivid.color, dominant) : ink };
}

/** The part of an image that stands out from a ground, from 0 to 1. */
function shareOn(palette: PaletteColor[], ground: string): number {
  const total = palette.reduce((sum, { share }) => sum + share, 0);
  const clear = palette.filter(({ color }) => wcagContrast(color, ground) >= MIN_CONTRAST);
  return clear.reduce((sum, { share }) => sum + share, 0) / total;
}

/**
 * The plate that a transparent image needs on a ground to stand out. `null` where it needs none, or where no plate is better than
 * the ground.
 */
export function plateFor(palette: PaletteColor[], ground: string): keyof typeof PLATES | null {
  if (palette.length === 0) return null;
  const own = shareOn(palette, composeOver(ground));
  if (own >= MIN_SHARE) return null;
  const [light, dark] = [shareOn(palette, PLATES.light), shareOn(palette, PLATES.dark)];
  if (Math.max(light, dark) <= own) return null;
  return light >= dark ? "light" : "dark";
}
