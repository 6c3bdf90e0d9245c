import { missingGlyphs } from "#lib/fonts/coverage.ts";
import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import type { DrawnWord } from "#lib/proof/page/read-faces.ts";

/** A region whose Han characters have forms of their own. */
export type HanRegion = "ja" | "ko" | "zh-Hans" | "zh-Hant";

/** Words in the names of families that are drawn for one region. */
const REGION_OF_NAME: [RegExp, HanRegion][] = [
  [
    /\bJP\b|Japan|Mincho|Shippori|Zen (?:Old|Kaku|Antique|Maru)|Kaisei|Hina|BIZ|Klee|Yuji|Dela Gothic|DotGothic|M PLUS/i,
    "ja",
  ],
  [/\bKR\b|Korea|Nanum|Myeongjo|Gowun|Hahmlet|Song Myung|Black Han|Do Hyeon|Jua/i, "ko"],
  [/\bSC\b|\bCN\b|Ma Shan|ZCOOL|LXGW WenKai(?! TC)|Zhi Mang|Liu Jian|Long Cang/i, "zh-Hans"],
  [/\bTC\b|\bTW\b|\bHK\b|Cactus Classical|LXGW WenKai TC|Chocolate Classical/i, "zh-Hant"],
];

function regionOf(family: string): HanRegion | undefined {
  return REGION_OF_NAME.find(([name]) => name.test(family))?.[1];
}

const SCRIPTS =
  "Latin Greek Cyrillic Hebrew Arabic Devanagari Bengali Tamil Telugu Kannada Malayalam Gujarati Gurmukhi Sinhala Thai Lao Khmer Myanmar Hangul Hiragana Katakana Han Georgian Armenian Ethiopic"
    .split(" ")
    .map((name) => new RegExp(`\\p{Script=${name}}`, "u"));

/** True for a word of one script. Kanji with kana, and a brand within a word of another script, may have two faces. */
function isOneScript(text: string): boolean {
  return SCRIPTS.filter((script) => script.test(text)).length === 1;
}

function fieldOf({ units }: ExaminedPage, { unit }: DrawnWord): string {
  return units.find(({ id }) => id === unit)?.field ?? "";
}

/** Words of one script that are set in two faces. */
export function mixedWordFaults(page: ExaminedPage): Fault[] {
  return page.faces.words
    .filter(({ text, faces }) => faces.length > 1 && isOneScript(text))
    .map((word) => ({
      kind: "two-faces",
      field: fieldOf(page, word),
      message: `"${word.text}" is set in ${word.faces.map(({ family, glyphs }) => `${family} (${glyphs})`).join(" and ")}.`,
    }));
}

/** The region whose forms a text wants beside contents of this one: words that stay, such as code, may be in Japanese. */
function regionOfText(text: string, content: HanRegion): HanRegion {
  return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? "ja" : content;
}

/** Han characters in a face of another region than the content's. */
export function hanFormFaults(
  page: ExaminedPage,
  { region, keepsWords = false }: { region?: HanRegion | undefined; keepsWords?: boolean | undefined },
): Fault[] {
  if (!region) return [];
  return page.units.flatMap(({ id, field, text }) => {
    if (!/\p{Script=Han}/u.test(text) || (keepsWords && field === "")) return [];
    const wanted = regionOfText(text, region);
    const wrong = (page.faces.units.get(id) ?? []).filter(({ family }) => (regionOf(family) ?? wanted) !== wanted);
    if (wrong.length === 0) return [];
    const names = wrong.map(({ family }) => family).join(" and ");
    return [
      {
        kind: "han-form" as const,
        field,
        message: `"${text.trim().slice(0, 20)}" has glyphs of ${names}, want the forms of ${wanted}.`,
      },
    ];
  });
}

/** Characters that no font has. */
export function missingGlyphFaults({ units }: ExaminedPage, own: number[] | undefined): Fault[] {
  return units.flatMap(({ field, text }) => {
    const missing = missingGlyphs(text, own);
    if (missing.length === 0) return [];
    return [{ kind: "missing-glyph" as const, field, message: `No font has ${missing.slice(0, 8).join(" ")}.` }];
  });
}
