import type { FieldDeclaration } from "./fields/field-types.ts";
import { isDefaultWord, translationFor } from "./filters/translation.ts";
import { isGiven, leavesOf, withValue } from "./lists/leaf-fields.ts";
import type { FieldValues } from "./template.ts";
import { readTextSettings } from "./text-settings.ts";

type Declarations = Record<string, FieldDeclaration>;

/**
 * The words of a template that follow the language of the document: defaults with `translations` that the request does not
 * name, and that are the default in any of its languages. A variant's own word is not among them.
 * @param given what the request names; its own words stay
 * @returns the values with these words
 */
export function translateDefaults(
  declarations: Declarations,
  { given, values }: { given: FieldValues; values: FieldValues },
): FieldValues {
  const found = leavesOf(declarations, values).flatMap((leaf) => {
    const { declaration: field, value } = leaf;
    if (field.type !== "text" || !field.translations || isGiven(given, leaf)) return [];
    return isDefaultWord(field, value) ? [{ leaf, field, translations: field.translations }] : [];
  });
  if (found.length === 0) return values;
  // These words do not tell the language that they follow.
  const others = found.reduce((rest, { leaf }) => withValue(rest, leaf, null), values);
  const { language } = readTextSettings(declarations, others);
  return found.reduce((rest, { leaf, field, translations }) => {
    const word = language === "" ? undefined : translationFor(translations, language);
    return withValue(rest, leaf, word ?? field.default);
  }, values);
}
