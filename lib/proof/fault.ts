import { z } from "zod";

/** What can be wrong with a picture, and what it means. */
export const FAULT_KINDS = {
  refused: "The request is refused although its texts are within the declared lengths.",
  "not-drawn": "The picture took too long, or its browser failed.",
  cut: "A text within its declared length is cut.",
  empty: "A text shows none of its characters.",
  clipped: "An element cuts ink off.",
  "outside-canvas": "Ink touches the edge of the picture.",
  "outside-box": "Ink leaves the box of its text.",
  overlap: "Ink of two texts meets.",
  "lines-overlap": "Ink of two lines of a text meets.",
  "two-faces": "A word is set in two faces.",
  "han-form": "Han characters have the forms of another region.",
  "missing-glyph": "No font has a character.",
  contrast: "A text has too little contrast with what is behind it.",
  orphan: "The last line of a longer text holds a single word.",
  "divided-number": "A number is divided between two lines.",
  "bidi-order": "Characters are not in the order of the Unicode bidirectional algorithm.",
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

const side = z.number();

export const fault = z.object({
  kind: z.enum(Object.keys(FAULT_KINDS) as [FaultKind, ...FaultKind[]]),
  /** The field, where the text is one. */
  field: z.string(),
  message: z.string(),
  /** Where, in pixels of the picture. */
  box: z.object({ left: side, top: side, right: side, bottom: side }).optional(),
});

export type Fault = z.infer<typeof fault>;
