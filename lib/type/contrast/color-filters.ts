import { LRUCache } from "lru-cache";
import { composeOver, distinctFrom, inkOn, readableOn, tintOn } from "./colors.ts";

/** The highest contrast of WCAG: black on white. */
const MAX_RATIO = 21;

/** A distance that is large enough to lead from every colour to black or white. */
const MAX_DISTANCE = 50;

type Range = { filter: string; least: number; most: number };

function readNumber(value: unknown, { filter, least, most }: Range): number {
  const number = Number(value);
  if (number >= least && number <= most) return number;
  throw new TypeError(
    `Got ${String(value ?? "nothing").slice(0, 40)} for ${filter}, want a number from ${least} to ${most}.`,
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Results of a filter: about those of a template for ten sets of colours. Some take half a millisecond. */
const MAX_KEPT = 200;

/** Makes a filter return nothing for an empty colour, so that `default` can follow it, and keep its results. */
function forColor(filter: (color: string, ...rest: unknown[]) => string) {
  const kept = new LRUCache<string, string>({ max: MAX_KEPT });
  return (color: unknown, ...rest: unknown[]) => {
    if (isEmpty(color)) return "";
    const key = JSON.stringify([color, ...rest]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const result = filter(String(color), ...rest);
    kept.set(key, result);
    return result;
  };
}

/** A ground as a filter's argument. An empty one is the white of the canvas. */
function groundOf(ground: unknown): string {
  return isEmpty(ground) ? "#ffffff" : String(ground);
}

/** The Liquid filters for colours, by name. All take and return hex colours; translucent ones are composed first. */
export const COLOR_FILTERS = {
  over: forColor((color, ground) => composeOver(color, groundOf(ground))),
  ink: forColor((ground) => inkOn(ground)),
  readable_on: forColor((color, ground, ratio) => {
    const range = { filter: "readable_on", least: 1, most: MAX_RATIO };
    return readableOn(color, groundOf(ground), ratio === undefined ? undefined : readNumber(ratio, range));
  }),
  distinct_from: forColor((color, ground, distance) => {
    const range = { filter: "distinct_from", least: 0, most: MAX_DISTANCE };
    return distinctFrom(color, groundOf(ground), distance === undefined ? undefined : readNumber(distance, range));
  }),
  tint_on: forColor((color, ground, percent) =>
    tintOn(color, groundOf(ground), readNumber(percent, { filter: "tint_on", least: 0, most: 100 })),
  ),
};
