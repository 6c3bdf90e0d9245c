import { blank } from "../markup/mask-liquid.ts";

/** What makes a drawing move that the browser does not stop, as it does <animate> and animated images (lib/render/chromium/flags.ts). */
const MOVING = /@(?:-webkit-)?keyframes\b|@starting-style\b/i;

/** Of declarations with `!important`, those of a layer count, whatever the selectors are. */
const STANDING_STILL =
  "<style>@layer still{*{animation-play-state:paused!important;transition:none!important}}</style>";

const COMMENT = /<!--[\s\S]*?-->/g;

/** A drawing that stands still: as a background, its animations of CSS would go on from one picture of a page to the next. */
export function stillDrawing(svg: string): string {
  const end = svg.replace(COMMENT, blank).lastIndexOf("</svg");
  if (end < 0 || !MOVING.test(svg)) return svg;
  return svg.slice(0, end) + STANDING_STILL + svg.slice(end);
}
