import { factsOf } from "./font-facts.ts";
import { SCRIPTS, type Script } from "./scripts.ts";

/** Whether the letters of a family have serifs, or the contrast that goes with them. */
export type Kind = "sans" | "serif";

/** How a design family is completed. */
type Design = {
  kind: Kind;
  /** Families of the same kind for Latin, Greek and Cyrillic, the closest first. */
  standIns: string[];
  /** What is added to a weight of the family for a companion that looks as dark. */
  weightShift?: number;
};

const DESIGNS: Record<string, Design> = {
  // Of the families without Chinese, only Noto Sans Math has a ∩ that can be recognised.
  Anton: {
    kind: "sans",
    standIns: ["Sofia Sans Extra Condensed", "Archivo", "Noto Sans", "Noto Sans Math"],
    weightShift: 500,
  },
  Archivo: { kind: "sans", standIns: ["Inter", "Noto Sans", "Noto Sans Math"] },
  "Bricolage Grotesque": { kind: "sans", standIns: ["Inter", "Noto Sans"] },
  "Cormorant Garamond": { kind: "serif", standIns: ["EB Garamond", "Noto Serif"], weightShift: -100 },
  Fraunces: { kind: "serif", standIns: ["Source Serif 4", "Noto Serif"] },
  "Instrument Serif": { kind: "serif", standIns: ["EB Garamond", "Noto Serif"] },
  Inter: { kind: "sans", standIns: ["Noto Sans"] },
  "JetBrains Mono": { kind: "sans", standIns: ["Noto Sans"] },
  "Noto Sans": { kind: "sans", standIns: [] },
  "Noto Serif": { kind: "serif", standIns: ["Noto Sans"] },
  "Pinyon Script": { kind: "serif", standIns: ["Great Vibes", "EB Garamond", "Noto Serif"] },
  "Space Grotesk": { kind: "sans", standIns: ["Inter", "Noto Sans"] },
};

/** The design of a bundled family. A family of a template has the generic family that its list ends with. */
export function designOf(family: string, fallback: Kind): Design {
  return DESIGNS[family] ?? { kind: fallback, standIns: fallback === "serif" ? ["Noto Serif"] : ["Noto Sans"] };
}

const HAN_LANGUAGES = {
  ja: "Japanese",
  ko: "Korean",
  "zh-Hans": "Chinese, simplified",
  "zh-Hant": "Chinese, traditional",
};

export type HanLanguage = keyof typeof HAN_LANGUAGES;

/** The languages with forms of Han characters of their own, in the order in which they are tried. */
const HAN_ORDER: HanLanguage[] = ["ja", "zh-Hans", "zh-Hant", "ko"];

function scriptNamed(name: string): Script | undefined {
  return SCRIPTS.find((script) => script.name === name);
}

/**
 * The families for Han characters, kana and Hangul in a language, then those of the other languages. The bundled
 * Myeongjo has Hangul only, so Korean Han characters are drawn without serifs rather than in the forms of Japan.
 */
export function hanFamilies(kind: Kind, language: HanLanguage): string[] {
  const own = scriptNamed(HAN_LANGUAGES[language]);
  const others = HAN_ORDER.flatMap((each) => scriptNamed(HAN_LANGUAGES[each])?.[kind] ?? []);
  return own ? [...new Set([own[kind], own.sans, ...others])] : others;
}

/** The families for a script of Unicode, such as `Arabic`, beside a kind of design. */
export function scriptFamilies(kind: Kind, unicode: string): string[] {
  const script = SCRIPTS.find((each) => each.unicode.includes(unicode));
  return script ? [...new Set([script[kind], script.sans])] : [];
}

/** Urdu and Kashmiri beside a serif design, which its readers expect in Nastaliq. */
export const NASTALIQ_FAMILY = "Noto Nastaliq Urdu";

/** The x-height in em that Noto's families of other scripts are drawn for. */
const NOTO_X_HEIGHT = 0.536;

const [LEAST_SCALE, LARGEST_SCALE] = [0.75, 1.4];

/** A script without capitals is not made smaller: its letters have more strokes than those of Latin. */
const LARGEST_SCRIPT_SCALE = 1.12;

const within = (value: number, least: number, largest: number) => Math.min(largest, Math.max(least, value));

/** By how much a companion is scaled, so that it looks as large as the design beside it. */
export function scaleOf({ design, companion }: { design: string; companion: string }): number {
  const [own, other] = [factsOf(design), factsOf(companion)];
  if (!own?.xHeight || !other) return 1;
  const isStandIn = Object.values(DESIGNS).some(({ standIns }) => standIns.includes(companion));
  if (!isStandIn) return within(own.xHeight / NOTO_X_HEIGHT, 1, LARGEST_SCRIPT_SCALE);
  const ratio = (own.xHeight / other.xHeight + own.capHeight / other.capHeight) / 2;
  return within(ratio, LEAST_SCALE, LARGEST_SCALE);
}
