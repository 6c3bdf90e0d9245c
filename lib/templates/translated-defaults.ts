import type { FieldDeclaration } from "./fields/field-types.ts";
import type { FieldValues } from "./template.ts";
import { readTextSettings } from "./text-settings.ts";

type Declarations = Record<string, FieldDeclaration>;

/** The entry for a language: that of its tag, of its script, or of the language alone. */
function entryFor(translations: Record<string, string>, tag: string): string | undefined {
  const { language, script } = new Intl.Locale(tag).maximize();
  return translations[tag] ?? translations[`${language}-${script}`] ?? translations[language];
}

/**
 * The words of a template that follow the language of the document: defaults with `translations` that the request does not
 * name, and that are the default in any of its languages. A variant's own word is not among them.
 * @param given what the request names; its own words stay
 * @returns the values to replace
 */
export function translateDefaults(
  declarations: Declarations,
  { given, values }: { given: FieldValues; values: FieldValues },
): FieldValues {
  const found = Object.entries(declarations).flatMap(([name, field]) => {
    if (field.type !== "text" || !field.translations || Object.hasOwn(given, name)) return [];
    const isDefault =
      values[name] === field.default || Object.values(field.translations).includes(String(values[name]));
    return isDefault ? [{ name, field, translations: field.translations }] : [];
  });
  if (found.length === 0) return {};
  // These words do not tell the language that they follow.
  const others = { ...values, ...Object.fromEntries(found.map(({ name }) => [name, null])) };
  const { language } = readTextSettings(declarations, others);
  return Object.fromEntries(
    found.map(({ name, field, translations }) => [
      name,
      (language === "" ? undefined : entryFor(translations, language)) ?? field.default,
    ]),
  );
}
