import type * as fontkit from "fontkit";
import { SYMBOL_FAMILIES } from "./families.ts";
import { SCRIPTS } from "./scripts.ts";

/** Characters that follow each other and are equally wide: the first, the last, and their width in hundredths of an em. */
export type Widths = [first: number, last: number, width: number][];

/**
 * Whether a character is of a script that a family is bundled for. Not where that is written with Han characters, which are all an em
 * wide.
 */
function isOfFamily(family: string): (character: string) => boolean {
  const scripts = SCRIPTS.filter(({ sans, serif }) => family === sans || family === serif);
  const names = scripts.flatMap(({ unicode }) => unicode);
  if (names.length === 0 || names.includes("Han")) return () => false;
  const own = new RegExp(`[${names.map((name) => `\\p{Script=${name}}`).join("")}]`, "u");
  return (character) => own.test(character);
}

function runsOf(widths: Map<number, number>): Widths {
  const runs: Widths = [];
  for (const [codePoint, width] of [...widths].toSorted(([a], [b]) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === codePoint - 1 && last[2] === width) last[1] = codePoint;
    else runs.push([codePoint, codePoint, width]);
  }
  return runs;
}

const isSymbolFamily = (family: string) => SYMBOL_FAMILIES.some(({ name }) => name === family && !/Emoji/.test(name));

/**
 * Reads how wide characters of a family are in its widest face, where that is hard to guess: those of a script whose marks take room,
 * such as the vowels of Tamil and Burmese, and symbols. A text in another script is no wider than its letters.
 */
export function readWidths(family: string, faces: fontkit.Font[]): Widths | undefined {
  const isSymbol = isSymbolFamily(family);
  const isOwn = isSymbol ? (character: string) => /[\p{S}\p{N}\p{P}]/u.test(character) : isOfFamily(family);
  const widths = new Map<number, number>();
  let isKept = isSymbol;
  for (const face of faces) {
    for (const codePoint of face.characterSet) {
      const character = String.fromCodePoint(codePoint);
      if (!isOwn(character)) continue;
      const width = Math.ceil((face.glyphForCodePoint(codePoint).advanceWidth / face.unitsPerEm) * 100);
      widths.set(codePoint, Math.max(width, widths.get(codePoint) ?? 0));
      isKept ||= width > 0 && /\p{M}/u.test(character);
    }
  }
  return isKept ? runsOf(widths) : undefined;
}
