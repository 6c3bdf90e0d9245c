import * as fontkit from "fontkit";
import { expect, it } from "vitest";
import { contains } from "#lib/fonts/coverage.ts";
import { factsOf } from "#lib/fonts/font-facts.ts";
import { listFontFiles, readFont } from "#lib/fonts/font-files.ts";

/** Signs and letters of Latin, Greek and Cyrillic that consist of another one and marks: ≠ of =, Ģ of G. */
const COMPOSED = Array.from({ length: 0x2300 }, (_, code) => String.fromCodePoint(code)).filter(
  (character) =>
    /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{S}]/u.test(character) &&
    character.normalize("NFD").length > 1,
);

const REGULAR = listFontFiles().filter(({ weight, italic }) => weight === 400 && !italic);

it.each(REGULAR.map((file) => [file.family, file] as const))(
  "%s has no character with marks that it draws without them",
  (family, file) => {
    const font = fontkit.create(readFont(file)) as fontkit.Font;
    const outline = (character: string) => font.glyphForCodePoint(character.codePointAt(0) ?? 0).path.toSVG();
    const coverage = factsOf(family)?.coverage ?? [];
    const has = (character: string) => contains(coverage, character.codePointAt(0) ?? 0);
    const bare = (character: string) => character.normalize("NFD").slice(0, 1);
    const drawn = COMPOSED.filter((character) => has(character) && has(bare(character)));
    expect(drawn.filter((character) => outline(character) === outline(bare(character)))).toEqual([]);
  },
);
