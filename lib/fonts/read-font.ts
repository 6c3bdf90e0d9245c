import * as fontkit from "fontkit";
import type { FamilyFacts, FontFacts } from "./font-facts.ts";
import { type FontFile, readFont } from "./font-files.ts";
import { runsOf } from "./read-coverage.ts";

/** Letters with a mark below, which only anchors can combine with a mark above. */
const BASES = ["a", "e", "o", "ẹ", "ọ"];

/** Combining marks above a letter: grave, acute, circumflex, tilde, macron, diaeresis, caron. */
const MARKS = ["\u0300", "\u0301", "\u0302", "\u0303", "\u0304", "\u0308", "\u030c"];

/** Whether the font joins the two into one glyph, or moves the mark over the letter. */
function places(font: fontkit.Font, base: string, mark: string): boolean {
  try {
    const { glyphs, positions } = font.layout((base + mark).normalize("NFC"));
    const last = positions.at(-1);
    return glyphs.length === 1 || (last !== undefined && (last.xOffset !== 0 || last.yOffset !== 0));
  } catch {
    // The library reads an anchor that the font leaves out for this letter.
    return false;
  }
}

/** The combining marks that a font has but does not place over every letter that it has. */
function unplacedMarks(font: fontkit.Font): number[] {
  const has = (character: string) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  const bases = BASES.filter(has);
  const lost = MARKS.filter((mark) => has(mark) && !bases.every((base) => places(font, base, mark)));
  return lost.map((mark) => mark.codePointAt(0) ?? 0);
}

type Opened = { file: FontFile; font: fontkit.Font };

/** Characters of the first face that all others have too, because a style sheet may ask for any of them. */
function commonCharacters(opened: Opened[]): Set<number> {
  const [first, ...others] = opened.map(({ font }) => new Set(font.characterSet));
  return new Set([...(first ?? [])].filter((codePoint) => others.every((other) => other.has(codePoint))));
}

function factsOf(files: FontFile[]): FamilyFacts {
  const opened = files.map((file) => ({ file, font: fontkit.create(readFont(file)) as fontkit.Font }));
  const upright = opened.filter(({ file }) => !file.italic);
  const regular = upright.find(({ file }) => file.weight === 400) ?? upright[0] ?? opened[0];
  if (!regular) throw new Error("A family has no files.");
  const characters = commonCharacters(opened);
  // Only Latin families have these letters, and the layout of some scripts is beyond this library.
  if (characters.has(0x65)) for (const mark of unplacedMarks(regular.font)) characters.delete(mark);
  const { unitsPerEm, ascent, descent, xHeight, capHeight } = regular.font;
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
  };
}

/** Reads every bundled family. Takes a few seconds. @throws Error for a file that is not a font */
export function readFontFacts(files: FontFile[]): FontFacts {
  const families = Map.groupBy(files, ({ family }) => family);
  return Object.fromEntries([...families].map(([family, group]) => [family, factsOf(group)]));
}
