import { z } from "zod";
import { commonDeclaration } from "../fields/field-type.ts";

const fraction = z.number().min(0).max(1);

export const imageDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("image"),
  /** `cover` fills the element and crops. `contain` shows the whole image. */
  fit: z.enum(["cover", "contain"]).default("cover"),
  /**
   * The point that cropping keeps, as fractions of width and height, where the request names none. Without it, `cover` looks for
   * the point that a viewer looks at first.
   */
  focus: z.union([z.strictObject({ x: fraction, y: fraction }), z.literal("center")]).optional(),
  /** Leaves out transparent edges, or with `color` also edges of one colour. */
  trim: z.enum(["transparent", "color"]).optional(),
  /** Whether the template gets the colours of the image, as `photo.colors`. */
  colors: z.boolean().optional(),
  /** The ground behind a transparent image, as a hex colour or a colour field, for `photo.ground`. */
  over: z.string().min(1).optional(),
  /** Draws the image in two colours, the one of its shadows first: hex colours or colour fields. Without both, it stays as it is. */
  duotone: z.tuple([z.string().min(1), z.string().min(1)]).optional(),
  /**
   * What to do when the server of the image fails: `error` refuses the request, `placeholder` renders as if the field
   * were empty. A required field then shows a translucent grey, because its template has no design without it.
   */
  onError: z.enum(["error", "placeholder"]).default("error"),
});

export type ImageDeclaration = z.infer<typeof imageDeclaration>;
