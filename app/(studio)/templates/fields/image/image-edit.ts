import { asObject, type EditValue, isPicked, type PickedImage } from "../../edits.ts";

/** A point of an image, as fractions of its width and height. */
export type Focus = { x: number; y: number };

/** The value of an image field: an image, and which part of it to show. */
export type ImageEdit = {
  source: string | PickedImage | undefined;
  /** Absent where the service looks for it. */
  focus: Focus | undefined;
  zoom: number;
};

const isNumber = (value: unknown): value is number => typeof value === "number";

/** Reads a value of an image field. */
export function readImageEdit(value: EditValue | undefined): ImageEdit {
  if (typeof value === "string" || isPicked(value)) return { source: value, focus: undefined, zoom: 1 };
  const { src, focus, zoom } = asObject(value);
  const { x, y } = asObject(focus);
  return {
    source: typeof src === "string" || isPicked(src) ? src : undefined,
    focus: isNumber(x) && isNumber(y) ? { x, y } : focus === "center" ? { x: 0.5, y: 0.5 } : undefined,
    zoom: isNumber(zoom) ? zoom : 1,
  };
}

/** The value of an image field. An image that is shown as its template wants it stays alone. */
export function writeImageEdit({ source = "", focus, zoom }: ImageEdit): EditValue {
  if (source === "" || (!focus && zoom === 1)) return source;
  return { src: source, ...(focus && { focus }), ...(zoom !== 1 && { zoom }) };
}
