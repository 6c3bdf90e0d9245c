import { z } from "zod";
import { hasTooManyMarks, MAX_MARKS } from "#lib/schemas/visible-text.ts";
import { fitRule } from "#lib/type/fit/fit-rule.ts";
import { cleanBidi } from "#lib/type/text/bidi/bidi.ts";
import { type ValueFault, wrongType } from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";

/** The longest text that a field may allow, in characters. To draw so many takes 0.2 to 2 s. */
export const MAX_TEXT_LENGTH = 5_000;

/** A language with an optional script, such as `de` or `zh-Hant`. */
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?$/;

export const textDeclaration = z
  .strictObject({
    ...commonDeclaration,
    type: z.literal("text"),
    /** Counted in Unicode characters, after composition (NFC). */
    maxLength: z.number().int().min(1).max(MAX_TEXT_LENGTH).default(300),
    multiline: z.boolean().default(false),
    /**
     * A `name` is not hyphenated, and its words do not tell the language of the document. Nor are those of a `code`, such as
     * a number with letters.
     */
    kind: z.enum(["words", "name", "code"]).default("words"),
    /**
     * Whether words may be divided. Without it, those of running text and long words of other texts are, and names and codes
     * are not.
     */
    hyphenate: z.boolean().optional(),
    /** The default in other languages, by their tags. A request without a value gets that of the document's language. */
    translations: z.record(z.string().regex(LANGUAGE), z.string().trim().min(1)).optional(),
    fit: fitRule.optional(),
  })
  .superRefine(({ translations, default: own, maxLength }, context) => {
    if (translations && typeof own !== "string")
      context.addIssue({ code: "custom", path: ["translations"], message: "Want a default, which they translate" });
    for (const [language, text] of Object.entries(translations ?? {}))
      if (lengthOf(text, maxLength) > maxLength)
        context.addIssue({
          code: "custom",
          path: ["translations", language],
          message: `Got ${lengthOf(text, maxLength)} characters, want at most ${maxLength}`,
        });
  });

/** Counts Unicode characters as JSON Schema does. A text that is far too long is not walked. */
export function lengthOf(text: string, limit: number): number {
  if (text.length <= limit || text.length > limit * 2) return text.length;
  return Array.from(text).length;
}

/** Control characters draw nothing and break the document. Tabs and line ends are allowed as white space. */
const CONTROL = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/u;

/** The fault of a text with more combining marks on a letter than fit beside it. */
export function marksFault(text: string): ValueFault | undefined {
  if (!hasTooManyMarks(text)) return undefined;
  const message = `Got a letter with more than ${MAX_MARKS} combining marks, want at most ${MAX_MARKS}.`;
  return { code: "invalid_text", message };
}

const BIDI_WARNING: ValueFault = {
  code: "bidi_changed",
  message:
    "Removed overrides of the text direction (U+202D, U+202E) or closed embeddings and isolates that were left open.",
};

export const textField: FieldType<z.infer<typeof textDeclaration>, string> = {
  read(value, { maxLength, multiline }) {
    if (typeof value !== "string") return wrongType(value, "a string");
    const text = value.length > maxLength * 4 ? value : value.normalize("NFC");
    const length = lengthOf(text, maxLength);
    if (length > maxLength) {
      return { fault: { code: "too_long", message: `Got ${length} characters, want at most ${maxLength}.` } };
    }
    if (CONTROL.test(text)) {
      return {
        fault: { code: "invalid_text", message: "Got a control character, want text without control characters." },
      };
    }
    const tooManyMarks = marksFault(text);
    if (tooManyMarks) return { fault: tooManyMarks };
    if (!multiline && /[\r\n\u2028\u2029]/.test(text)) {
      return { fault: { code: "invalid_text", message: "Got a line break, want a single line." } };
    }
    const trimmed = (multiline ? text.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n") : text).trim();
    const clean = cleanBidi(trimmed);
    return clean === trimmed ? { value: trimmed } : { value: clean, warning: BIDI_WARNING };
  },
  jsonSchema: ({ maxLength }) => ({ type: "string", maxLength }),
  sample: () => "x",
  holding: (text) => text,
  hostile: [
    `"><script>alert(1)</script>`,
    `'><img src=x onerror=alert(1)>`,
    "</style><b>x</b>",
    "</title></textarea></script><iframe src=//x></iframe>",
    "<!--",
    "]]><svg/onload=alert(1)>",
    "x onmouseover=alert(1) y",
    "` onload=alert(1) `",
    "{{ 7 | times: 7 }}{% raw %}{% endraw %}",
    "$& $1 ${x} &lt;b&gt; &#60;b&#62;",
    "a=b c",
  ],
};
