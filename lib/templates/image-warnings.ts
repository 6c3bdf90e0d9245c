import { isDeepStrictEqual } from "node:util";
import type { Issue } from "#lib/errors.ts";
import type { ImageOutcome } from "#lib/type/contrast/image-survey.ts";
import { leafPointer, leavesOf, valueAt } from "./lists/leaf-fields.ts";
import type { FieldValues, Template } from "./template.ts";

/** How many pixels of the picture one pixel of an image may fill, in each direction, before it looks blurred. */
const MAX_SCALE = 2;

/** The part of an image that a picture should show. */
const MIN_SHOWN = 0.5;

/** Thinner than this, in pixels of the picture, an image fades into its ground. */
const MIN_THICKNESS = 0.5;

/** A crop of exactly one half, or a scale of exactly two, is no fault; neither is a rounded pixel. */
const ROUNDING = 0.005;

function upscaled({ width, height, scale }: ImageOutcome): string {
  const [wantedWidth, wantedHeight] = [width, height].map((size) => Math.ceil((size * scale) / MAX_SCALE));
  const times = scale < 10 ? Math.round(scale * 10) / 10 : Math.round(scale);
  return `Blown up ${times} times: got ${width} × ${height} px, want at least ${wantedWidth} × ${wantedHeight} px.`;
}

function cropped({ width, height, shown, room }: ImageOutcome): string {
  const percent = shown < 0.1 ? (shown * 100).toFixed(1) : Math.floor(shown * 100);
  const [across, down] = [Math.round(room.width), Math.round(room.height)];
  return `Cropped: ${percent} % of the image is shown. Got ${width} × ${height} px, want the shape of ${across} × ${down} px.`;
}

const thicknessOf = ({ width, height, scale }: ImageOutcome) => Math.min(width, height) * scale;

function vanished(image: ImageOutcome): string {
  const { width, height, room } = image;
  const [across, down] = [Math.round(room.width), Math.round(room.height)];
  const thickness = thicknessOf(image).toFixed(1);
  return `Too thin to be seen, ${thickness} px: got ${width} × ${height} px, want the shape of ${across} × ${down} px.`;
}

type Measured = {
  template: Template;
  /** The values of the chosen variant, whose images are its design. */
  base: FieldValues;
  values: FieldValues;
  images: ImageOutcome[];
};

/**
 * The warnings about the images of a request. Of several elements that show the same image, the one that blows it up most
 * and the one that shows most of it count. One that nobody sees has no other warning.
 */
export function imageWarnings({ template, base, values, images }: Measured): Issue[] {
  const byField = Map.groupBy(images, ({ field }) => field);
  return leavesOf(template.fields, values).flatMap((leaf) => {
    const own = byField.get(leaf.id) ?? [];
    if (own.length === 0 || isDeepStrictEqual(leaf.value, valueAt(base, leaf))) return [];
    const path = leafPointer(leaf.id);
    const largest = own.reduce((a, b) => (b.scale > a.scale ? b : a));
    const fullest = own.reduce((a, b) => (b.shown > a.shown ? b : a));
    if (thicknessOf(largest) < MIN_THICKNESS) return { path, code: "field_ignored", message: vanished(largest) };
    return [
      ...(largest.scale > MAX_SCALE + ROUNDING ? [{ path, code: "image_upscaled", message: upscaled(largest) }] : []),
      ...(fullest.shown < MIN_SHOWN - ROUNDING ? [{ path, code: "image_cropped", message: cropped(fullest) }] : []),
    ];
  });
}
