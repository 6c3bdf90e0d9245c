import type { Point } from "#lib/images/prepare/focal-point.ts";
import { isNumber, isObject } from "#lib/json-kinds.ts";
import { show, unknownKeys, type ValueFault } from "../faults/value-faults.ts";
import type { AskedCrop } from "./image-value.ts";
import { MAX_ZOOM } from "./zoom-limit.ts";

const KEYS = ["src", "focus", "zoom"];
const WANTED = 'an image as a "data:" URL or an address, or an object with it in "src", and "focus" and "zoom"';

/** An image as a request gives it. `src` is a text that was not looked into. */
export type ImageRequest = { src: string | undefined; crop: AskedCrop; faults: ValueFault[] };

/** The point in the middle, as a declaration or a request names it. */
export const CENTER: Point = { x: 0.5, y: 0.5 };

type NumberRule = { at: string[]; least: number; most: number };

function readNumber(value: unknown, { at, least, most }: NumberRule): number | ValueFault {
  const message = `Got ${show(value)}, want a number from ${least} to ${most}.`;
  if (!isNumber(value)) return { code: "invalid_type", message, at };
  return value < least || value > most ? { code: "out_of_range", message, at } : value;
}

function readFocus(value: unknown): { focus: Point } | { faults: ValueFault[] } {
  if (value === "center") return { focus: CENTER };
  if (!isObject(value)) {
    const message = `Got ${show(value)}, want { "x": 0.5, "y": 0.5 } with numbers from 0 to 1, or "center".`;
    return { faults: [{ code: "invalid_type", message, at: ["focus"] }] };
  }
  const [x, y] = (["x", "y"] as const).map((axis) =>
    readNumber(value[axis], { at: ["focus", axis], least: 0, most: 1 }),
  );
  const unknown = unknownKeys(value, { known: ["x", "y"], code: "invalid_image", at: ["focus"] });
  if (typeof x === "number" && typeof y === "number" && unknown.length === 0) return { focus: { x, y } };
  return { faults: [x, y].flatMap((read) => (typeof read === "object" ? [read] : [])).concat(unknown) };
}

const isAbsent = (value: unknown) => value === undefined || value === null;

/** Reads a value of a request or a variant. All its faults are reported, but those of the image itself. */
export function readImageRequest(value: unknown): ImageRequest {
  if (typeof value === "string") return { src: value, crop: {}, faults: [] };
  if (!isObject(value)) {
    const fault = { code: "invalid_type", message: `Got ${show(value)}, want ${WANTED}.` };
    return { src: undefined, crop: {}, faults: [fault] };
  }
  const faults = unknownKeys(value, { known: KEYS, code: "invalid_image" });
  const { src, focus, zoom } = value;
  const isText = typeof src === "string" && src.trim() !== "";
  if (!isText)
    faults.unshift({
      code: "invalid_type",
      message: `Got ${src === undefined ? "no image" : show(src)}, want a "data:" URL or an address.`,
      at: ["src"],
    });
  const crop: AskedCrop = {};
  if (!isAbsent(focus)) {
    const read = readFocus(focus);
    if ("focus" in read) crop.focus = read.focus;
    else faults.push(...read.faults);
  }
  if (!isAbsent(zoom)) {
    const read = readNumber(zoom, { at: ["zoom"], least: 1, most: MAX_ZOOM });
    if (typeof read === "object") faults.push(read);
    else if (read > 1) crop.zoom = read;
  }
  return { src: isText ? src : undefined, crop, faults };
}
