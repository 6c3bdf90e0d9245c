import type { ImageFault } from "#lib/images/image-fault.ts";
import type { Wanted } from "#lib/images/prepare/find-in-image.ts";
import { readImage } from "#lib/images/read-image.ts";
import { type ReadResult, refuse } from "../faults/value-faults.ts";
import type { ImageDeclaration } from "../images/image-declaration.ts";
import { readImageRequest } from "../images/image-request.ts";
import { type AskedCrop, type ImageValue, imageValue } from "../images/image-value.ts";
import { ShownImage } from "../images/shown-image.ts";
import { MAX_ZOOM } from "../images/zoom-limit.ts";
import type { FieldType } from "./field-type.ts";

/** A translucent grey that suits light and dark backgrounds and fills any size. */
const PLACEHOLDER = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="#808080" fill-opacity=".28"/></svg>',
).toString("base64")}`;

/** Applies `onError`, which covers only failures of the image's server. A fault of the request is refused. */
function failedImage(
  { fault, isServerFault }: ImageFault,
  { onError, required }: ImageDeclaration,
  at: string[],
): ReadResult<ImageValue | null> {
  if (!isServerFault || onError !== "placeholder") return { fault: { code: "image_rejected", message: fault, at } };
  return { value: required ? PLACEHOLDER : null, warning: { code: "image_unavailable", message: fault } };
}

/** What to find in an image of a field. */
export function wantedOf({ fit, focus, trim, colors, over }: ImageDeclaration, crop: AskedCrop): Wanted {
  const focalPoint = fit === "cover" && focus === undefined && crop.focus === undefined;
  return { focalPoint, edges: trim, palette: colors === true || over !== undefined };
}

/** Where the image itself is in a value, for its faults. */
const sourcePath = (value: unknown) => (typeof value === "string" ? [] : ["src"]);

export const imageField: FieldType<ImageDeclaration, ImageValue | null> = {
  async read(value, declaration, { signal, remote }) {
    const { src, crop, faults } = readImageRequest(value);
    const refused = refuse(faults);
    if (src === undefined) return refused ?? { value: null };
    const at = sourcePath(value);
    const image = await readImage(src, { signal, remote });
    if ("fault" in image) {
      const failed = failedImage(image, declaration, at);
      return "fault" in failed ? (refuse([failed.fault, ...faults]) ?? failed) : (refused ?? failed);
    }
    if (refused) return refused;
    return {
      pixels: image.pixels,
      async finish() {
        const decoded = await image.decode(signal, wantedOf(declaration, crop));
        if ("fault" in decoded) return failedImage(decoded, declaration, at);
        return { value: imageValue(decoded.url, { ...crop, ...decoded.found }) };
      },
    };
  },
  present: (value, declaration, { colorOf = () => undefined }) => value && new ShownImage(value, declaration, colorOf),
  jsonSchema() {
    const source = { type: "string", pattern: "^(data:image/(png|jpeg|webp|gif|avif);base64,|https?://)" };
    const part = { type: "number", minimum: 0, maximum: 1 };
    const point = {
      type: "object",
      properties: { x: part, y: part },
      required: ["x", "y"],
      additionalProperties: false,
    };
    const properties = {
      src: source,
      focus: { description: "The point that cropping keeps.", anyOf: [point, { const: "center" }] },
      zoom: { type: "number", minimum: 1, maximum: MAX_ZOOM, description: "1 without it." },
    };
    return { anyOf: [source, { type: "object", properties, required: ["src"], additionalProperties: false }] };
  },
  sample: () => "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=",
  hostile: [],
};
