import {
  designOf,
  type HanLanguage,
  hanFamilies,
  type Kind,
  NASTALIQ_FAMILY,
  scriptFamilies,
} from "#lib/fonts/companions.ts";
import { type Coverage, contains } from "#lib/fonts/coverage.ts";
import { factsOf } from "#lib/fonts/font-facts.ts";
import { placesMarks } from "#lib/fonts/read-anchors.ts";
import { SCRIPTS } from "#lib/fonts/scripts.ts";
import type { FaceTable, Lack } from "./assign-faces.ts";
import type { DocumentFonts } from "./document-fonts.ts";
import { faceRules, type Pairing, pairingName } from "./face-rules.ts";

/** What a face table is made for. */
export type FaceRequest = {
  fonts: DocumentFonts;
  /** The characters that the template's own fonts have. */
  glyphs: Coverage | undefined;
  /** The document, or as much of it as can hold text. */
  text: string;
};

/** Characters that no family needs to have: they draw nothing, or look alike beside every design. */
const NEUTRAL =
  /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{So}\p{Sk}\p{C}\p{Emoji_Presentation}\u2190-\u21ff\u2300-\u23ff]$/u;

/** Punctuation and full-width forms of Chinese and Japanese, which belong to no script of Unicode. */
const EAST_ASIAN = /^[\u3000-\u303f\u30fb\u30fc\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]$/u;

const HAN_GROUP = ["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"];

const SCRIPT_TESTS = [...new Set(SCRIPTS.flatMap(({ unicode }) => unicode))].map((name) => ({
  name: HAN_GROUP.includes(name) ? "Han" : name,
  test: new RegExp(`^\\p{Script=${name}}$`, "u"),
}));

function scriptOf(character: string): string | undefined {
  if (EAST_ASIAN.test(character)) return "Han";
  return SCRIPT_TESTS.find(({ test }) => test.test(character))?.name;
}

/** Scripts with capitals. Stand-ins of the design come first for them. */
const STAND_IN_SCRIPTS = ["Latin", "Greek", "Cyrillic"];

const SERIF_KEYWORDS = ["serif", "ui-serif", "cursive"];

const BODY_LIST = ["sans-serif"];

/** The bundled family that a generic family starts with. */
function firstFamily(name: string): string {
  if (SERIF_KEYWORDS.includes(name)) return "Noto Serif";
  return name === "monospace" || name === "ui-monospace" ? "JetBrains Mono" : name.includes("-") ? "Noto Sans" : name;
}

type Use = { design: string; others: string[]; kind: Kind };

/** Each family that leads a list, with the families after it and the kind of its generic family. */
function leadingFamilies({ lists }: DocumentFonts): Use[] {
  const uses = new Map<string, Use>();
  for (const list of [...lists, BODY_LIST]) {
    const [design = "", ...others] = list.map(firstFamily);
    const kind = list.some((name) => SERIF_KEYWORDS.includes(name)) ? "serif" : "sans";
    if (!uses.has(design)) uses.set(design, { design, others, kind });
  }
  return [...uses.values()];
}

/** The companions of a design for one script, the best first. The key of Han characters has their language. */
function companionsFor(design: string, { kind, script }: { kind: Kind; script: string }): [string, string[]][] {
  const { kind: own, standIns } = designOf(design, kind);
  if (script === "Han") {
    const languages: HanLanguage[] = ["ja", "ko", "zh-Hans", "zh-Hant"];
    return languages.map((language) => [`Han:${language}`, hanFamilies(own, language)]);
  }
  const families = [...(STAND_IN_SCRIPTS.includes(script) ? standIns : []), ...scriptFamilies(own, script)];
  const chosen: [string, string[]][] = [[script, [...new Set(families)].filter((name) => name !== design)]];
  if (script === "Arabic" && own === "serif") chosen.push(["Arabic:ur", [NASTALIQ_FAMILY, ...families]]);
  return chosen;
}

/** Letters whose capitals `text-transform` may draw. */
const CASED = /^\p{Changes_When_Uppercased}$/u;

/** A character that only runs of its own script contain. A run of another script may begin with digits and signs: `［abc］`. */
const LETTER = /^[\p{L}\p{M}]/u;

/** A letter with combining marks that do not compose with it. */
const CLUSTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}+/gu;

const isCluster = (characters: string) => /^.\p{M}/su.test(characters);

/** The tests of one document for whether a family lacks a character, or the places for the marks of a letter. */
function lackTest({ fonts, glyphs = [] }: FaceRequest): (family: string, characters: string) => boolean {
  return (family, characters) => {
    const own = fonts.own[family];
    const facts = factsOf(own?.bundled ?? family);
    const isFile = own && !own.bundled;
    if (isCluster(characters)) return !isFile && !!facts?.anchors && !placesMarks(facts.anchors, characters);
    const coverage = isFile ? (own.glyphs ?? glyphs) : facts?.coverage;
    if (!coverage) return false;
    const drawn = CASED.test(characters) ? characters + characters.toUpperCase() : characters;
    return [...drawn].some((each) => !contains(coverage, each.codePointAt(0) ?? 0));
  };
}

/** The characters beyond ASCII that a document may draw, and its letters with marks, each once. */
function charactersOf(text: string): string[] {
  // Composed, because a font that has a letter and its accent in one glyph draws that one.
  const composed = (text.match(/[^\p{ASCII}]+/gu)?.join("") ?? "").normalize("NFC");
  const found = [...new Set(composed)].filter((character) => !NEUTRAL.test(character));
  if (!found.some((character) => /\p{M}/u.test(character))) return found;
  return [...found, ...new Set(text.normalize("NFC").match(CLUSTER))];
}

/** The characters of each script. Those of none, as in a word of digits and signs alone, are below "". */
function groupByScript(characters: string[]): Map<string, string[]> {
  return Map.groupBy(characters, (character) => scriptOf(String.fromCodePoint(character.codePointAt(0) ?? 0)) ?? "");
}

/** The single characters of each script, for the page. */
function scriptsOf(groups: Map<string, string[]>): Record<string, string> {
  const named = [...groups].filter(([script]) => script !== "");
  return Object.fromEntries(named.map(([script, members]) => [script, lackOf(members).characters]));
}

function lackOf(characters: string[]): Lack {
  const { single = [], clusters = [] } = Object.groupBy(characters, (each) =>
    isCluster(each) ? "clusters" : "single",
  );
  return { characters: single.join(""), clusters };
}

/**
 * Finds which characters of a document each of its families lacks, and which companions have them.
 * @returns the table for {@link FaceTable}, and the style rules of the companions; undefined where every family has all
 * @throws Error when no fonts are built
 */
export function buildFaceTable(request: FaceRequest): { table: FaceTable; rules: string } | undefined {
  const characters = charactersOf(request.text);
  if (characters.length === 0) return undefined;
  const isLacking = lackTest(request);
  const lackedBy = (family: string, of = characters) => of.filter((each) => isLacking(family, each));
  const uses = leadingFamilies(request.fonts).flatMap((use) => {
    const lacked = lackedBy(use.design);
    return lacked.length > 0 ? [{ ...use, lacked: new Set(lacked) }] : [];
  });
  if (uses.length === 0) return undefined;

  const groups = groupByScript(characters);
  const signs = groups.get("") ?? [];
  const table: FaceTable = { scripts: scriptsOf(groups), lacks: {}, chains: {}, companions: {} };
  const pairings = new Map<string, { pairing: Pairing; scripts: Set<string> }>();
  for (const { design, others, kind, lacked } of uses) {
    for (const family of [design, ...others]) table.lacks[family] ??= lackOf(lackedBy(family));
    table.chains[design] = others.filter((name) => !name.startsWith("Noto "));
    table.companions[design] = {};
    // Signs alone are drawn like Latin.
    for (const script of new Set(["Latin", ...groups.keys()].filter((name) => name !== ""))) {
      const members = [...(groups.get(script) ?? []), ...(script === "Latin" ? signs : [])];
      if (!members.some((member) => lacked.has(member))) continue;
      const own = request.fonts.own[design];
      for (const [key, families] of companionsFor(own?.bundled ?? design, { kind, script })) {
        const end = families.findIndex((family) => !members.some((member) => isLacking(family, member)));
        table.companions[design][key] = families.slice(0, end < 0 ? families.length : end + 1).map((companion) => {
          const name = pairingName({ design, companion });
          const known = pairings.get(name) ?? { pairing: { design, companion, own, kind }, scripts: new Set() };
          pairings.set(name, known);
          known.scripts.add(script);
          return name;
        });
      }
    }
  }
  // A companion draws the letters of its own scripts, and the signs of every script. A list of all letters for each companion would be long.
  const shared = [...signs, ...characters.filter((character) => !LETTER.test(character))];
  for (const [name, { pairing, scripts }] of pairings) {
    const drawn = [...scripts].flatMap((script) => groups.get(script) ?? []);
    table.lacks[name] ??= lackOf(lackedBy(pairing.companion, [...new Set([...shared, ...drawn])]));
  }
  return { table, rules: [...pairings.values()].map(({ pairing }) => faceRules(pairing)).join("") };
}
