import { z } from "zod";

/** The key `fit` of a text field in `template.json`. */
export const fitRule = z.strictObject({
  /** `shrink` makes the font smaller, `clamp` keeps its size. Both cut what still does not fit. */
  mode: z.enum(["shrink", "clamp"]),
  /** The smallest font size for `shrink`, in CSS pixels. The default is half of the style sheet's. */
  minSize: z.number().min(8).max(400).optional(),
  maxLines: z.number().int().min(1).max(100),
});

/** How a text is fitted to its element. */
export type Fit = z.infer<typeof fitRule>;
