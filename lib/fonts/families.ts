import type { Protocol } from "puppeteer-core";

/** A bundled font family: static TrueType files from an npm package, under the SIL Open Font License. */
export type Family = {
  name: string;
  /** Folder below `node_modules/@expo-google-fonts`. */
  package: string;
  /** CSS weights to bundle; absent means every weight and style of the package. */
  weights?: number[];
};

/** Han, Hangul and kana, in two weights of 6 to 10 MB each: serverless deployments are limited to 250 MB. */
const HAN_FAMILIES: Family[] = [
  { name: "Noto Sans JP", package: "noto-sans-jp", weights: [400, 700] },
  { name: "Noto Sans KR", package: "noto-sans-kr", weights: [400, 700] },
  { name: "Noto Sans SC", package: "noto-sans-sc", weights: [400, 700] },
  { name: "Noto Sans TC", package: "noto-sans-tc", weights: [400, 700] },
];

const SCRIPT_WEIGHTS = [400, 500, 600, 700, 900];

/** One family per script, in the order of fallback. */
const SCRIPT_FAMILIES: Family[] = [
  ["Noto Sans Arabic", "noto-sans-arabic"],
  ["Noto Sans Hebrew", "noto-sans-hebrew"],
  ["Noto Sans Devanagari", "noto-sans-devanagari"],
  ["Noto Sans Thai", "noto-sans-thai"],
  ["Noto Sans Bengali", "noto-sans-bengali"],
  ["Noto Sans Tamil", "noto-sans-tamil"],
  ["Noto Sans Telugu", "noto-sans-telugu"],
  ["Noto Sans Kannada", "noto-sans-kannada"],
  ["Noto Sans Malayalam", "noto-sans-malayalam"],
  ["Noto Sans Gujarati", "noto-sans-gujarati"],
  ["Noto Sans Gurmukhi", "noto-sans-gurmukhi"],
  ["Noto Sans Sinhala", "noto-sans-sinhala"],
  ["Noto Sans Myanmar", "noto-sans-myanmar"],
  ["Noto Sans Khmer", "noto-sans-khmer"],
  ["Noto Sans Lao", "noto-sans-lao"],
  ["Noto Sans Georgian", "noto-sans-georgian"],
  ["Noto Sans Armenian", "noto-sans-armenian"],
  ["Noto Sans Ethiopic", "noto-sans-ethiopic"],
].map(([name = "", folder = ""]) => ({ name, package: folder, weights: SCRIPT_WEIGHTS }));

const SYMBOL_FAMILIES: Family[] = [
  { name: "Noto Sans Symbols", package: "noto-sans-symbols", weights: [400, 700] },
  { name: "Noto Sans Symbols 2", package: "noto-sans-symbols-2" },
  { name: "Noto Sans Math", package: "noto-sans-math" },
];

const EMOJI_FAMILY: Family = { name: "Noto Color Emoji", package: "noto-color-emoji" };

const TEXT_WEIGHTS = [400, 500, 600, 700, 800];

/** Latin, Greek and Cyrillic: the families of the generic CSS families. */
const TEXT_FAMILIES: Family[] = [
  { name: "Noto Sans", package: "noto-sans", weights: TEXT_WEIGHTS },
  { name: "Noto Serif", package: "noto-serif", weights: TEXT_WEIGHTS },
  { name: "JetBrains Mono", package: "jetbrains-mono", weights: TEXT_WEIGHTS },
];

/** Display families for templates to name. */
const DISPLAY_FAMILIES: Family[] = [
  { name: "Inter", package: "inter", weights: [...TEXT_WEIGHTS, 900] },
  { name: "Space Grotesk", package: "space-grotesk" },
  { name: "Bricolage Grotesque", package: "bricolage-grotesque" },
  { name: "Archivo", package: "archivo", weights: [...TEXT_WEIGHTS, 900] },
  { name: "Anton", package: "anton" },
  { name: "Fraunces", package: "fraunces" },
  { name: "Instrument Serif", package: "instrument-serif" },
  { name: "Cormorant Garamond", package: "cormorant-garamond" },
  { name: "Pinyon Script", package: "pinyon-script" },
];

/** Every bundled family. No other font is used, except those that a template brings. */
export const FAMILIES: Family[] = [
  ...TEXT_FAMILIES,
  ...SCRIPT_FAMILIES,
  ...HAN_FAMILIES,
  ...SYMBOL_FAMILIES,
  EMOJI_FAMILY,
  ...DISPLAY_FAMILIES,
];

const GENERIC_FAMILIES = {
  "sans-serif": "Noto Sans",
  serif: "Noto Serif",
  monospace: "JetBrains Mono",
  cursive: "Pinyon Script",
  fantasy: "Anton",
  math: "Noto Sans Math",
  emoji: EMOJI_FAMILY.name,
  "system-ui": "Noto Sans",
  "ui-sans-serif": "Noto Sans",
  "ui-serif": "Noto Serif",
  "ui-monospace": "JetBrains Mono",
  "ui-rounded": "Noto Sans",
} as const;

export type GenericFamily = keyof typeof GENERIC_FAMILIES;

/** Narrows a CSS keyword to a generic family that {@link fontStack} knows. */
export function isGenericFamily(keyword: string): keyword is GenericFamily {
  return Object.hasOwn(GENERIC_FAMILIES, keyword);
}

/**
 * Expands a generic CSS family to a list: its own family, then one per script. Chromium uses a named family in the
 * right weight. For a character that no named family has, it would take any regular font and embolden it artificially.
 * The bare `sans-serif` in the middle is resolved by the element's `lang` (see {@link CHROMIUM_FONT_FAMILIES}), so that
 * a Han character has its Japanese, Korean or Chinese form.
 */
export function fontStack(generic: GenericFamily): string {
  const scripts = [...SCRIPT_FAMILIES, "sans-serif", ...HAN_FAMILIES, ...SYMBOL_FAMILIES, EMOJI_FAMILY];
  const names = scripts.map((family) => (typeof family === "string" ? family : `"${family.name}"`));
  return [...new Set([`"${GENERIC_FAMILIES[generic]}"`, `"Noto Sans"`, ...names])].join(",");
}

/**
 * A style rule that draws each character with its default presentation of Unicode: emoji in colour, even where a symbol
 * family before {@link EMOJI_FAMILY} has them too, and other characters as text. It applies to every element with
 * `!important` because any `font` or `font-variant` would reset it. Every document needs it because Chromium caches the
 * shapes of words without regard to it.
 */
export const EMOJI_RULE = "*,*::before,*::after{font-variant-emoji:unicode!important}";

const HAN_FAMILY_OF_SCRIPT = {
  Jpan: "Noto Sans JP",
  Kore: "Noto Sans KR",
  Hang: "Noto Sans KR",
  Hans: "Noto Sans SC",
  Hant: "Noto Sans TC",
};

/** The families for Chromium's own generic families, per script of the element's language (`Page.setFontFamilies`). */
export const CHROMIUM_FONT_FAMILIES: Protocol.Page.SetFontFamiliesRequest = {
  fontFamilies: {
    standard: GENERIC_FAMILIES["sans-serif"],
    sansSerif: GENERIC_FAMILIES["sans-serif"],
    serif: GENERIC_FAMILIES.serif,
    fixed: GENERIC_FAMILIES.monospace,
    cursive: GENERIC_FAMILIES.cursive,
    fantasy: GENERIC_FAMILIES.fantasy,
    math: GENERIC_FAMILIES.math,
  },
  forScripts: Object.entries(HAN_FAMILY_OF_SCRIPT).map(([script, family]) => ({
    script,
    fontFamilies: { standard: family, sansSerif: family, serif: family },
  })),
};

/** Common family names that are not bundled, with the bundled family that replaces each. */
export const ALIASES: Record<string, string> = {
  ...GENERIC_FAMILIES,
  Arial: "Noto Sans",
  Helvetica: "Noto Sans",
  "Helvetica Neue": "Noto Sans",
  Verdana: "Noto Sans",
  "Segoe UI": "Noto Sans",
  Roboto: "Noto Sans",
  Georgia: "Noto Serif",
  "Times New Roman": "Noto Serif",
  Times: "Noto Serif",
  "Courier New": "JetBrains Mono",
  Courier: "JetBrains Mono",
  Menlo: "JetBrains Mono",
};

/** The Han family that fontconfig prefers for a language. */
export const HAN_FAMILY_OF_LANGUAGE = {
  ja: "Noto Sans JP",
  ko: "Noto Sans KR",
  "zh-cn": "Noto Sans SC",
  "zh-sg": "Noto Sans SC",
  "zh-tw": "Noto Sans TC",
  "zh-hk": "Noto Sans TC",
  zh: "Noto Sans SC",
};

/** The order of families in which fontconfig looks for a glyph. */
export const FALLBACK_ORDER: string[] = [
  "Noto Sans",
  ...[...SCRIPT_FAMILIES, ...HAN_FAMILIES, ...SYMBOL_FAMILIES, EMOJI_FAMILY].map((family) => family.name),
];
