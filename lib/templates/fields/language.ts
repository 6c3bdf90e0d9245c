import { z } from "zod";
import { show, wrongType } from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";

export const languageDeclaration = z.strictObject({ ...commonDeclaration, type: z.literal("language") });

/** A language with an optional script and an optional region, such as `de`, `pt-BR` or `zh-Hant`. */
const LANGUAGE_TAG = /^[a-zA-Z]{2,3}(?:-[a-zA-Z]{4})?(?:-(?:[a-zA-Z]{2}|[0-9]{3}))?$/;

const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** The tag in its canonical form, if it names a language. Norwegian without further ado is Bokmål, which `Intl` leaves open. */
function knownLanguage(tag: string): string | undefined {
  if (!LANGUAGE_TAG.test(tag)) return undefined;
  const canonical = Intl.getCanonicalLocales(tag)
    .join("")
    .replace(/^no(?=-|$)/, "nb");
  return names.of(canonical) === undefined ? undefined : canonical;
}

/** The language of the document, by its BCP 47 tag. Without a value, it is found from the texts. */
export const languageField: FieldType<z.infer<typeof languageDeclaration>, string> = {
  read(value) {
    const wanted = 'a language tag such as "de", "pt-BR" or "zh-Hant"';
    if (typeof value !== "string") return wrongType(value, wanted);
    const language = knownLanguage(value.trim());
    if (language !== undefined) return { value: language };
    return { fault: { code: "invalid_language", message: `Got ${show(value)}, want ${wanted}.` } };
  },
  jsonSchema: () => ({ type: "string", pattern: LANGUAGE_TAG.source }),
  sample: () => "en",
  hostile: [],
};
