import type { Protocol } from "puppeteer-core";
import { SYMBOL_FAMILIES } from "./families.ts";
import { SCRIPTS } from "./scripts.ts";

const EMOJI_FAMILY = "Noto Color Emoji";

const GENERIC_FAMILIES = {
  "sans-serif": "Noto Sans",
  serif: "Noto Serif",
  monospace: "JetBrains Mono",
  cursive: "Pinyon Script",
  fantasy: "Anton",
  math: "Noto Sans Math",
  emoji: EMOJI_FAMILY,
  "system-ui": "Noto Sans",
  "ui-sans-serif": "Noto Sans",
  "ui-serif": "Noto Serif",
  "ui-monospace": "JetBrains Mono",
  "ui-rounded": "Noto Sans",
} as const;

export type GenericFamily = keyof typeof GENERIC_FAMILIES;

export const GENERIC_FAMILY_NAMES: string[] = Object.keys(GENERIC_FAMILIES);

/** Narrows a CSS keyword to a generic family that {@link fontStack} knows. */
export function isGenericFamily(keyword: string): keyword is GenericFamily {
  return Object.hasOwn(GENERIC_FAMILIES, keyword);
}

const SERIF_LIKE: GenericFamily[] = ["serif", "ui-serif", "cursive"];

/** Scripts with fewer readers than these are left to fontconfig, which keeps the lists in style sheets short. */
const LISTED_SCRIPTS = SCRIPTS.slice(
  0,
  SCRIPTS.findIndex(({ name }) => name === "Mongolian"),
);

/** The families of the scripts without Han characters, in the order of fallback. */
function scriptNames(kind: "sans" | "serif"): string[] {
  return LISTED_SCRIPTS.filter(({ unicode }) => !unicode.includes("Han")).map((script) => script[kind]);
}

const HAN_ORDER = ["ja", "ko", "zh-Hans", "zh-Hant"];

function hanNames(kind: "sans" | "serif"): string[] {
  return HAN_ORDER.map((language) => hanFamily(kind, language));
}

function hanFamily(kind: "sans" | "serif", language: string): string {
  return SCRIPTS.find((script) => script.language === language)?.[kind] ?? GENERIC_FAMILIES["sans-serif"];
}

/**
 * Expands a generic CSS family to a list: its own family, then one per script, with serifs for a generic family that has
 * them. Chromium uses a named family in the right weight. For a character that no named family has, it would take any
 * regular font. The bare `sans-serif` or `serif` in the middle is resolved by the element's `lang` (see
 * {@link CHROMIUM_FONT_FAMILIES}), so that a Han character has its Japanese, Korean or Chinese form.
 */
export function fontStack(generic: GenericFamily): string {
  const kind = SERIF_LIKE.includes(generic) ? "serif" : "sans";
  const keyword = kind === "serif" ? "serif" : "sans-serif";
  const own = [GENERIC_FAMILIES[generic], GENERIC_FAMILIES[keyword], ...scriptNames(kind)];
  const rest = [...hanNames(kind), ...SYMBOL_FAMILIES.map(({ name }) => name)];
  const quote = (name: string) => `"${name}"`;
  return [...new Set([...own.map(quote), keyword, ...rest.map(quote)])].join(",");
}

/**
 * A style rule that draws each character with its default presentation of Unicode: emoji in colour, even where a symbol
 * family before the emoji family has them too, and other characters as text. It applies to every element with
 * `!important` because any `font` or `font-variant` would reset it. Every document needs it because Chromium caches the
 * shapes of words without regard to it.
 */
export const EMOJI_RULE = "*,*::before,*::after{font-variant-emoji:unicode!important}";

/** The language of a script of ISO 15924 with Han characters. */
const LANGUAGE_OF_SCRIPT = { Jpan: "ja", Kore: "ko", Hang: "ko", Hans: "zh-Hans", Hant: "zh-Hant" };

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
  forScripts: Object.entries(LANGUAGE_OF_SCRIPT).map(([script, language]) => {
    const [sansSerif, serif] = [hanFamily("sans", language), hanFamily("serif", language)];
    return { script, fontFamilies: { standard: sansSerif, sansSerif, serif } };
  }),
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
  ...new Set([
    ...scriptNames("sans"),
    ...hanNames("sans"),
    ...SYMBOL_FAMILIES.map(({ name }) => name),
    ...SCRIPTS.map(({ sans }) => sans),
  ]),
];
