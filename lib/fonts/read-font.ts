import * as fontkit from "fontkit";
import { WRONG_GLYPHS } from "./families.ts";
import type { FamilyFacts, FontFacts } from "./font-facts.ts";
import { type FontFile, readFont } from "./font-files.ts";
import { readAnchors } from "./read-anchors.ts";
import { runsOf } from "./read-coverage.ts";
import { readWidths } from "./read-widths.ts";

const LATIN_E = 0x65;

type Opened = { file: FontFile; font: fontkit.Font };

/** Characters of the first face that all others have too, because a style sheet may ask for any of them. */
function commonCharacters(opened: Opened[]): Set<number> {
  const [first, ...others] = opened.map(({ font }) => new Set(font.characterSet));
  return new Set([...(first ?? [])].filter((codePoint) => others.every((other) => other.has(codePoint))));
}

function factsOf(family: string, files: FontFile[]): FamilyFacts {
  const opened = files.map((file) => ({ file, font: fontkit.create(readFont(file)) as fontkit.Font }));
  const upright = opened.filter(({ file }) => !file.italic);
  const regular = upright.find(({ file }) => file.weight === 400) ?? upright[0] ?? opened[0];
  if (!regular) throw new Error("A family has no files.");
  const characters = commonCharacters(opened);
  for (const character of WRONG_GLYPHS[family] ?? "") characters.delete(character.codePointAt(0) ?? 0);
  const { unitsPerEm, ascent, descent, xHeight, capHeight } = regular.font;
  const widths = readWidths(
    family,
    opened.map(({ font }) => font),
  );
  const inEm = (units: number) => Math.round((units / unitsPerEm) * 1_000) / 1_000;
  return {
    faces: opened.map(({ file: { weight, italic }, font }) => ({
      weight,
      italic,
      postscriptName: String(font.postscriptName),
    })),
    ascent: inEm(ascent),
    descent: inEm(-descent),
    xHeight: inEm(xHeight),
    capHeight: inEm(capHeight),
    coverage: runsOf(characters),
    ...(characters.has(LATIN_E) && { anchors: readAnchors(regular.font) }),
    ...(widths && { widths }),
  };
}

/** Reads every bundled family. Takes a few seconds. @throws Error for a file that is not a font */
export function readFontFacts(files: FontFile[]): FontFacts {
  const families = Map.groupBy(files, ({ family }) => family);
  return Object.fromEntries([...families].map(([family, group]) => [family, factsOf(family, group)]));
}
