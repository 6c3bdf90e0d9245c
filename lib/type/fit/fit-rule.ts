import { z } from "zod";

/** The key `fit` of a text field in `template.json`. */
export const fitRule = z.strictObject({
  /**
   * `fill` makes the text as large as its room allows, up to the size in the style sheet. `shrink` keeps that size where it
   * can, and `clamp` always. All of them cut what still does not fit.
   */
  mode: z.enum(["fill", "shrink", "clamp"]),
  /** The smallest font size for `fill` and `shrink`, in CSS pixels. The default is half of the style sheet's. */
  minSize: z.number().min(8).max(400).optional(),
  /** For `fill`: a text at least this large, in CSS pixels, counts as unchanged. The default is the smallest size. */
  comfortSize: z.number().min(8).max(400).optional(),
  maxLines: z.number().int().min(1).max(100),
  /** Where texts compete for room, those with a lower priority become smaller first. Equal ones share. */
  priority: z.number().int().min(-100).max(100).default(0),
  /** Texts of the same group have one size: that of the text that needs the smallest. */
  group: z.string().min(1).max(40).optional(),
});

/** How a text is fitted to its element. */
export type Fit = z.infer<typeof fitRule>;
