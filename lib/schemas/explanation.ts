import { z } from "zod";

const box = z.strictObject({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });

/** One text of a picture, as it was drawn. Lengths are pixels of the picture. */
const explainedText = z.strictObject({
  field: z.string().meta({ description: "The field; empty for a text that is no fitted field." }),
  text: z.string(),
  lines: z.array(z.string()).meta({ description: "The text of each line, as it was broken." }),
  fontSize: z.number(),
  designedSize: z.number().optional().meta({ description: "The size in the style sheet, where the field is fitted." }),
  direction: z.enum(["ltr", "rtl"]),
  faces: z.array(z.strictObject({ family: z.string(), face: z.string(), glyphs: z.int() })),
  contrast: z
    .strictObject({ ratio: z.number(), wanted: z.number() })
    .optional()
    .meta({ description: "The lowest of its lines. Absent where emoji bring their own colours." }),
  box: box.meta({ description: "The box of the element." }),
  ink: box.optional().meta({ description: "The box of the ink; absent where nothing is drawn." }),
  why: z.array(z.string()).meta({ description: "Why the text looks as it does, a sentence each." }),
});

/** The response of `POST /api/service/images/explain`. */
export const Explanation = z.strictObject({
  template: z.string(),
  variant: z.string(),
  width: z.int(),
  height: z.int(),
  texts: z.array(explainedText),
  warnings: z.array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() })),
  faults: z
    .array(z.strictObject({ kind: z.string(), field: z.string(), message: z.string(), box: box.optional() }))
    .meta({ description: "What the proof of templates would report." }),
});

export type Explanation = z.infer<typeof Explanation>;
