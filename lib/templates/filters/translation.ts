/** The entry for a language: that of its tag, of its script, or of the language alone. */
export function translationFor(translations: Record<string, string>, tag: string): string | undefined {
  const { language, script } = new Intl.Locale(tag).maximize();
  return translations[tag] ?? translations[`${language}-${script}`] ?? translations[language];
}
