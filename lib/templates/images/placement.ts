import type { Part } from "#lib/images/prepare/empty-edges.ts";
import type { Point } from "#lib/images/prepare/focal-point.ts";
import type { ImageDeclaration } from "./image-declaration.ts";
import { CENTER } from "./image-request.ts";
import type { ImageValue } from "./image-value.ts";

/** Which part of an image its element shows. */
export type Placement = {
  /** The part that counts as the image: without empty edges, and as small as the zoom asks. */
  part: Part;
  /** The point of that part that keeps its place when it is cropped. */
  position?: Point;
  /** The point of that part that the crop has in its middle, as far as the image reaches. */
  middle?: Point;
};

const WHOLE: Part = { left: 0, top: 0, right: 1, bottom: 1 };

const within = (value: number, most = 1) => Math.min(Math.max(value, 0), most);

/** A point of an image as one of a part of it. The nearest one, if it is outside. */
function inPart({ x, y }: Point, { left, top, right, bottom }: Part): Point {
  return { x: within((x - left) / (right - left)), y: within((y - top) / (bottom - top)) };
}

/** A part of a part, whose upper left corner and size are fractions of the outer one. */
function partOf({ left, top, right, bottom }: Part, corner: Point, size: number): Part {
  const [width, height] = [right - left, bottom - top];
  const [x, y] = [left + corner.x * width, top + corner.y * height];
  return { left: x, top: y, right: x + size * width, bottom: y + size * height };
}

/** Blows a part up around a point that keeps its place. */
function zoomAround(whole: Part, point: Point, size: number): Placement {
  const corner = { x: point.x * (1 - size), y: point.y * (1 - size) };
  return { part: partOf(whole, corner, size), position: point };
}

/** Blows a part up with a point in the middle of what is left. */
function zoomOn(whole: Part, point: Point, size: number): Placement {
  const corner = { x: within(point.x - size / 2, 1 - size), y: within(point.y - size / 2, 1 - size) };
  return {
    part: partOf(whole, corner, size),
    middle: { x: within((point.x - corner.x) / size), y: within((point.y - corner.y) / size) },
  };
}

/** Returns how an image is placed; undefined where the rules of its field say it all. */
export function placementOf(image: ImageValue, { focus: declared }: ImageDeclaration): Placement | undefined {
  if (typeof image === "string") return undefined;
  const { focus = declared, zoom = 1, focalPoint, subject = WHOLE } = image;
  if (image.focus === undefined && zoom === 1 && subject === WHOLE && !focalPoint) return undefined;
  const size = 1 / zoom;
  if (focus === undefined && focalPoint) return zoomOn(subject, inPart(focalPoint, subject), size);
  if (focus !== undefined && focus !== "center") return zoomAround(subject, inPart(focus, subject), size);
  // Without a focus, a style sheet may say where in its element the image is.
  return { part: zoomAround(subject, CENTER, size).part };
}

const percent = (fraction: number) => `${Math.round(fraction * 1_000_000) / 10_000}%`;

/** The declarations of a style sheet for a placement; empty where the page decides it alone. */
export function placementStyle({ part, position }: Placement): string {
  const { left, top, right, bottom } = part;
  const isCut = left > 0 || top > 0 || right < 1 || bottom < 1;
  const inset = [top, 1 - right, 1 - bottom, left].map(percent).join(" ");
  return [
    isCut ? `object-view-box:inset(${inset})` : "",
    position ? `object-position:${percent(position.x)} ${percent(position.y)}` : "",
  ]
    .filter((rule) => rule !== "")
    .join(";");
}
