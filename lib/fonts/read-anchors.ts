import type * as fontkit from "fontkit";
import { type Coverage, contains } from "./coverage.ts";
import { runsOf } from "./read-coverage.ts";

/** Combining marks, and the letters over or under which a family places them. */
export type Anchors = { marks: Coverage; letters: Coverage };

/** The parts of OpenType's table GPOS that tell which letters have anchors for which marks. */
type GlyphCoverage = { version: 1; glyphs: number[] } | { version: 2; rangeRecords: { start: number; end: number }[] };
type MarkToBase = {
  markCoverage?: GlyphCoverage;
  baseCoverage?: GlyphCoverage;
  markArray?: { class: number }[];
  baseArray?: (unknown | null)[][];
};
type Lookup = { lookupType: number; subTables: (MarkToBase & { extension?: MarkToBase })[] };

const MARK_TO_BASE = 4;
const EXTENSION = 9;

const CASED_SCRIPTS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;

const ACUTE = "\u0301";

function glyphsOf(coverage: GlyphCoverage): number[] {
  if (coverage.version === 1) return coverage.glyphs;
  return coverage.rangeRecords.flatMap(({ start, end }) =>
    Array.from({ length: end - start + 1 }, (_, i) => start + i),
  );
}

/** The glyphs of marks and of bases that each class of anchors joins. */
function* classesOf({ markCoverage, baseCoverage, markArray = [], baseArray = [] }: MarkToBase) {
  if (!markCoverage || !baseCoverage) return;
  const [marks, bases] = [glyphsOf(markCoverage), glyphsOf(baseCoverage)];
  for (const each of new Set(markArray.map((mark) => mark.class))) {
    yield {
      marks: new Set(marks.filter((_, index) => markArray[index]?.class === each)),
      bases: new Set(bases.filter((_, index) => baseArray[index]?.[each])),
    };
  }
}

/** The glyph that a letter has below a mark: a font may leave out the dot of an i, or draw a letter in its parts. */
function glyphBeforeMark(font: fontkit.Font, letter: string): number | undefined {
  try {
    return font.layout(letter + ACUTE).glyphs[0]?.id;
  } catch {
    // The library reads an anchor that the font leaves out for this letter.
    return undefined;
  }
}

/**
 * Reads which marks a font places on which letters of Latin, Greek and Cyrillic. A letter counts if its capital has the
 * anchor too, because `text-transform` may draw that one.
 */
export function readAnchors(font: fontkit.Font): Anchors[] {
  const lookups =
    (font as unknown as { GPOS?: { lookupList: { toArray(): Lookup[] } } }).GPOS?.lookupList.toArray() ?? [];
  const subTables = lookups.flatMap(({ lookupType, subTables: own }) =>
    lookupType === MARK_TO_BASE || lookupType === EXTENSION ? own.map((each) => each.extension ?? each) : [],
  );
  const characters = font.characterSet.map((codePoint) => String.fromCodePoint(codePoint));
  const letters = characters.filter((each) => CASED_SCRIPTS.test(each) && /\p{L}/u.test(each));
  const marks = characters.filter((each) => /\p{M}/u.test(each));
  const codeOf = (character: string) => character.codePointAt(0) ?? 0;
  const glyphOf = (character: string) => font.glyphForCodePoint(codeOf(character)).id;
  return subTables
    .flatMap((subTable) =>
      Array.from(classesOf(subTable), (group) => {
        const hasAnchor = (letter: string) =>
          group.bases.has(glyphOf(letter)) || group.bases.has(glyphBeforeMark(font, letter) ?? -1);
        const placed = letters.filter((letter) => [letter, ...letter.toUpperCase()].every(hasAnchor));
        return {
          marks: runsOf(new Set(marks.filter((mark) => group.marks.has(glyphOf(mark))).map(codeOf))),
          letters: runsOf(new Set(placed.map(codeOf))),
        };
      }),
    )
    .filter((each) => each.marks.length > 0 && each.letters.length > 0);
}

/** Whether anchors place every mark of a cluster, which is a letter with combining marks that do not compose. */
export function placesMarks(anchors: Anchors[], cluster: string): boolean {
  const [letter = 0, ...marks] = Array.from(cluster, (each) => each.codePointAt(0) ?? 0);
  return marks.every((mark) => anchors.some((each) => contains(each.marks, mark) && contains(each.letters, letter)));
}
