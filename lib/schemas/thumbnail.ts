import { z } from "zod";
import { fault } from "./scalars.ts";

/** The width of a thumbnail in a list of variants, which is 80 CSS pixels wide at most, on plain and on dense screens. */
export const SMALL_THUMBNAIL_WIDTH = 160;

/** Widths of thumbnails on cards of 320 and 480 CSS pixels, each on plain and on dense screens. */
export const CARD_THUMBNAIL_WIDTHS = [320, 480, 640, 960] as const;

/** All widths of thumbnails, in pixels. Few enough to keep them all. */
export const THUMBNAIL_WIDTHS = [SMALL_THUMBNAIL_WIDTH, ...CARD_THUMBNAIL_WIDTHS] as const;

const widths = THUMBNAIL_WIDTHS.map(String);

/** The query of `GET /api/service/thumbnails/<slug>`. */
export const ThumbnailQuery = z.strictObject({
  variant: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "One of the template's variants; its default when absent." }),
  width: z
    .string()
    .refine((text) => widths.includes(text), fault("invalid_option", `Want one of ${widths.join(", ")}.`))
    .meta({ enum: widths, description: "Pixels. A narrower template keeps its own width." })
    .default("640")
    .transform(Number),
});
