import { missingGlyphs } from "./coverage.ts";

export type Script = {
  /** The English name. */
  name: string;
  /** A BCP 47 tag, which decides the form of Han characters. */
  language: string;
  /** "Good morning", or text that shows the difficulties of the script. */
  sample: string;
};

/** Every script that the bundled fonts support. */
export const SCRIPTS: Script[] = [
  ["Latin", "pl", "Zażółć gęślą jaźń"],
  ["Greek", "el", "Καλημέρα κόσμε"],
  ["Cyrillic", "uk", "Доброго ранку"],
  ["Arabic", "ar", "صباح الخير"],
  ["Hebrew", "he", "בוקר טוב"],
  ["Devanagari", "hi", "सुप्रभात दुनिया"],
  ["Bengali", "bn", "সুপ্রভাত"],
  ["Gurmukhi", "pa", "ਸ਼ੁਭ ਸਵੇਰ"],
  ["Gujarati", "gu", "સુપ્રભાત"],
  ["Tamil", "ta", "காலை வணக்கம்"],
  ["Telugu", "te", "శుభోదయం"],
  ["Kannada", "kn", "ಶುಭೋದಯ"],
  ["Malayalam", "ml", "സുപ്രഭാതം"],
  ["Sinhala", "si", "සුබ උදෑසනක්"],
  ["Thai", "th", "สวัสดีตอนเช้า"],
  ["Lao", "lo", "ສະບາຍດີຕອນເຊົ້າ"],
  ["Myanmar", "my", "မင်္ဂလာပါ"],
  ["Khmer", "km", "អរុណសួស្តី"],
  ["Georgian", "ka", "დილა მშვიდობისა"],
  ["Armenian", "hy", "Բարի լույս"],
  ["Ethiopic", "am", "እንደምን አደርክ"],
  ["Chinese, simplified", "zh-Hans", "早上好，直骨"],
  ["Chinese, traditional", "zh-Hant", "早安，直骨"],
  ["Japanese", "ja", "おはよう、直骨"],
  ["Korean", "ko", "좋은 아침입니다"],
  ["Mathematics", "en", "∀x ∈ ℝ: ∮ √x ≠ 𝒇"],
  ["Symbols", "en", "→ ★ ♠ ☂ ✓ ♫ ⚑"],
  ["Emoji", "en", "😀 👩‍🚀 🌍 🇺🇳 👍🏽"],
].map(([name = "", language = "", sample = ""]) => ({ name, language, sample }));

/** Whether the bundled fonts cover the sample of a script. @throws Error when no fonts are built */
export function isCovered({ sample }: Script): boolean {
  return missingGlyphs(sample).length === 0;
}
