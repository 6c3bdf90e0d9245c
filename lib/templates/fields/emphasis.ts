import { z } from "zod";
import { fitRule } from "#lib/type/fit/fit-rule.ts";
import { readEmphasis } from "#lib/type/text/emphasis.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";
import { MAX_TEXT_LENGTH, textField } from "./text.ts";

export const emphasisDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("emphasis"),
  /** Counted in Unicode characters, after composition (NFC), the signs of the emphasis included. */
  maxLength: z.number().int().min(1).max(MAX_TEXT_LENGTH).default(300),
  multiline: z.boolean().default(false),
  /** As that of a text. */
  hyphenate: z.boolean().optional(),
  fit: fitRule.optional(),
});

/** A text with `**bold**`, `*italic*` and `==mark==`. All other characters are drawn as they are. */
export const emphasisField: FieldType<z.infer<typeof emphasisDeclaration>, string> = {
  read: (value, { maxLength, multiline }, context) =>
    textField.read(value, { type: "text", kind: "words", label: "", required: false, maxLength, multiline }, context),
  present: (value) => readEmphasis(value),
  jsonSchema: ({ maxLength }) => ({ type: "string", maxLength }),
  sample: () => "x",
  holding: (text) => text,
  hostile: [...textField.hostile, ...textField.hostile.map((text) => `**a *${text}* b** ==${text}==`)],
};
