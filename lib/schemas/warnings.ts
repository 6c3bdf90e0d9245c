import { z } from "zod";

/** What a picture can be warned about; see `docs/templates.md`. */
const WARNING_CODES = [
  "text_shrunk",
  "text_cut",
  "glyph_missing",
  "field_ignored",
  "bidi_changed",
  "low_contrast",
  "image_unavailable",
  "image_upscaled",
  "image_cropped",
  "qr_too_fine",
  "barcode_too_fine",
  "list_shortened",
] as const;

/** The value of the header `X-Render-Warnings`. */
export const RenderWarnings = z.strictObject({
  warnings: z.array(
    z.strictObject({
      /** JSON Pointer into the request, such as `/data/quote`. */
      path: z.string(),
      code: z.enum(WARNING_CODES),
      message: z.string(),
    }),
  ),
  /** How many warnings the list leaves out. */
  more: z.int().min(0),
});
