import { z } from "zod";
import { checkImage } from "../images.ts";
import { commonDeclaration, type FieldType, wrongType } from "./field-type.ts";

const fraction = z.number().min(0).max(1);

export const imageDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("image"),
  /** `cover` fills the element and crops, `contain` shows all of the image. */
  fit: z.enum(["cover", "contain"]).default("cover"),
  /** The point that cropping keeps, as fractions of width and height. */
  focus: z.strictObject({ x: fraction, y: fraction }).default({ x: 0.5, y: 0.5 }),
});

export type ImageDeclaration = z.infer<typeof imageDeclaration>;

export const imageField: FieldType<ImageDeclaration, string> = {
  async read(value, _declaration, signal) {
    if (typeof value !== "string") return wrongType(value, 'a "data:" URL of a PNG, JPEG, WebP or GIF image');
    const checked = await checkImage(value, signal);
    if ("fault" in checked) return { fault: { code: "image_rejected", message: checked.fault } };
    return { value, pixels: checked.pixels };
  },
  jsonSchema: () => ({ type: "string", pattern: "^data:image/(png|jpeg|webp|gif);base64,", contentEncoding: "base64" }),
  sample: () => "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=",
  hostile: [],
};
