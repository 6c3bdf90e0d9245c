import { z } from "zod";
import type { ImageFault } from "#lib/images/image-fault.ts";
import { readImage } from "#lib/images/read-image.ts";
import { commonDeclaration, type FieldType, type ReadResult, wrongType } from "./field-type.ts";

const fraction = z.number().min(0).max(1);

export const imageDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("image"),
  /** `cover` fills the element and crops. `contain` shows the whole image. */
  fit: z.enum(["cover", "contain"]).default("cover"),
  /** The point that cropping keeps, as fractions of width and height. */
  focus: z.strictObject({ x: fraction, y: fraction }).default({ x: 0.5, y: 0.5 }),
  /**
   * What to do when the server of the image fails: `error` refuses the request, `placeholder` renders as if the field
   * were empty. A required field then shows a {@link PLACEHOLDER}, because its template has no design without it.
   */
  onError: z.enum(["error", "placeholder"]).default("error"),
});

export type ImageDeclaration = z.infer<typeof imageDeclaration>;

/** A translucent grey that suits light and dark backgrounds and fills any size. */
const PLACEHOLDER = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="#808080" fill-opacity=".28"/></svg>',
).toString("base64")}`;

/** Applies `onError`, which covers only failures of the image's server. A fault of the request is refused. */
function failedImage(
  { fault, isServerFault }: ImageFault,
  { onError, required }: ImageDeclaration,
): ReadResult<string | null> {
  if (!isServerFault || onError !== "placeholder") return { fault: { code: "image_rejected", message: fault } };
  return { value: required ? PLACEHOLDER : null, warning: { code: "image_unavailable", message: fault } };
}

export const imageField: FieldType<ImageDeclaration, string | null> = {
  async read(value, declaration, { signal, remote }) {
    if (typeof value !== "string") return wrongType(value, 'an image as a "data:" URL or an address');
    const image = await readImage(value, { signal, remote });
    if ("fault" in image) return failedImage(image, declaration);
    return {
      pixels: image.pixels,
      async finish() {
        const decoded = await image.decode(signal);
        return "fault" in decoded ? failedImage(decoded, declaration) : { value: decoded.url };
      },
    };
  },
  jsonSchema: () => ({
    type: "string",
    pattern: "^(data:image/(png|jpeg|webp|gif|avif);base64,|https?://)",
  }),
  sample: () => "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=",
  hostile: [],
};
