import * as fontkit from "fontkit";
import { expect, it } from "vitest";
import { contains } from "#lib/fonts/coverage.ts";
import { WRONG_GLYPHS } from "#lib/fonts/families.ts";
import { factsOf } from "#lib/fonts/font-facts.ts";
import { type FontFile, listFontFiles, readFont } from "#lib/fonts/font-files.ts";

/** Signs and letters of Latin, Greek and Cyrillic that consist of another one and marks: ≠ of =, Ģ of G. */
const COMPOSED = Array.from({ length: 0x2300 }, (_, code) => String.fromCodePoint(code)).filter(
  (character) =>
    /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{S}]/u.test(character) &&
    character.normalize("NFD").length > 1,
);

const FILES = listFontFiles();

const REGULAR = FILES.filter(({ weight, italic }) => weight === 400 && !italic);

const faceName = ({ family, weight, italic }: FontFile) => `${family} ${weight}${italic ? " italic" : ""}`;

/** Letters of Latin, Greek and Cyrillic that have a capital. The palochka looks like its own. */
const LOWER_CASE = Array.from({ length: 0x2000 }, (_, code) => String.fromCodePoint(code)).filter(
  (letter) => /^\p{Changes_When_Uppercased}$/u.test(letter) && letter !== "ӏ" && [...letter.toUpperCase()].length === 1,
);

function drawnBy(file: FontFile) {
  const font = fontkit.create(readFont(file)) as fontkit.Font;
  const coverage = factsOf(file.family)?.coverage ?? [];
  return {
    has: (character: string) => contains(coverage, character.codePointAt(0) ?? 0),
    path: (character: string) => font.glyphForCodePoint(character.codePointAt(0) ?? 0).path,
  };
}

it.each(REGULAR.map((file) => [file.family, file] as const))(
  "%s has no character with marks that it draws without them",
  (_family, file) => {
    const { has, path } = drawnBy(file);
    const outline = (character: string) => path(character).toSVG();
    const bare = (character: string) => character.normalize("NFD").slice(0, 1);
    const drawn = COMPOSED.filter((character) => has(character) && has(bare(character)));
    expect(drawn.filter((character) => outline(character) === outline(bare(character)))).toEqual([]);
  },
);

it.each(FILES.map((file) => [faceName(file), file] as const))(
  "%s has no letter that it draws as its capital",
  (_name, file) => {
    const { has, path } = drawnBy(file);
    const drawn = LOWER_CASE.filter((letter) => has(letter) && has(letter.toUpperCase()));
    expect(drawn.filter((letter) => path(letter).toSVG() === path(letter.toUpperCase()).toSVG())).toEqual([]);
  },
);

it.each(FILES.map((file) => [faceName(file), file] as const))("%s has no ∩ that is a single stroke", (_name, file) => {
  const { has, path } = drawnBy(file);
  const width = (character: string) => path(character).bbox.width;
  if (has("∩") && has("n")) expect(width("∩") / width("n")).toBeGreaterThan(0.5);
});

it.each(Object.entries(WRONG_GLYPHS))("%s counts as lacking what it draws wrongly: %s", (family, characters) => {
  const coverage = factsOf(family)?.coverage ?? [];
  expect([...characters].filter((character) => contains(coverage, character.codePointAt(0) ?? 0))).toEqual([]);
});
