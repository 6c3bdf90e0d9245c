import { z } from "zod";
import type { ImageFault } from "#lib/images/image-fault.ts";
import { readImage } from "#lib/images/read-image.ts";
import { commonDeclaration, type FieldType, type ReadResult, wrongType } from "./field-type.ts";

const fraction = z.number().min(0).max(1);

export const imageDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("image"),
  /** `cover` fills the element and crops, `contain` shows all of the image. */
  fit: z.enum(["cover", "contain"]).default("cover"),
  /** The point that cropping keeps, as fractions of width and height. */
  focus: z.strictObject({ x: fraction, y: fraction }).default({ x: 0.5, y: 0.5 }),
  /**
   * What becomes of the picture when the server of the image fails: it is refused, or drawn as if the field were empty. A
   * required field, for which the template has no such design, then shows a {@link PLACEHOLDER}.
   */
  onError: z.enum(["error", "placeholder"]).default("error"),
});

export type ImageDeclaration = z.infer<typeof imageDeclaration>;

/** A grey that lets the ground through, at home on light and on dark; it fills whatever room it gets. */
const PLACEHOLDER = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="#808080" fill-opacity=".28"/></svg>',
).toString("base64")}`;

/** A fault of the request is one whatever the field says: only another server's failure may be drawn over. */
function failed(
  { fault, isElsewhere }: ImageFault,
  { onError, required }: ImageDeclaration,
): ReadResult<string | null> {
  if (!isElsewhere || onError !== "placeholder") return { fault: { code: "image_rejected", message: fault } };
  return { value: required ? PLACEHOLDER : null, warning: { code: "image_unavailable", message: fault } };
}

export const imageField: FieldType<ImageDeclaration, string | null> = {
  async read(value, declaration, { signal, remote }) {
    if (typeof value !== "string") return wrongType(value, 'an image as a "data:" URL or an address');
    const image = await readImage(value, { signal, remote });
    if ("fault" in image) return failed(image, declaration);
    return {
      pixels: image.pixels,
      async finish() {
        const finished = await image.finish(signal);
        return "fault" in finished ? failed(finished, declaration) : { value: finished.url };
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
