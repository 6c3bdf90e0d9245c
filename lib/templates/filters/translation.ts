/**
 * The entry for a language: that of its tag, of its script, or of the language alone where that has the same script. Words in
 * Cyrillic letters are none for Serbian in Latin ones. Simplified Chinese is better than English for Traditional Chinese, and
 * Bokmål for Nynorsk.
 */
export function translationFor(translations: Record<string, string>, tag: string): string | undefined {
  const { language, script } = new Intl.Locale(tag).maximize();
  const own = translations[tag] ?? translations[`${language}-${script}`];
  if (own !== undefined) return own;
  const isSameScript = script === new Intl.Locale(language).maximize().script;
  if (!isSameScript && language !== "zh") return undefined;
  return translations[language] ?? (language === "nn" ? translations.nb : undefined);
}

type TranslatedText = { default?: unknown; translations?: Record<string, string> | undefined };

/** Whether a value is the default of a field in any of its languages, which follows the language of the picture. A variant's own word does not. */
export function isDefaultWord({ default: own, translations }: TranslatedText, value: unknown): boolean {
  return translations !== undefined && (value === own || Object.values(translations).includes(String(value)));
}
