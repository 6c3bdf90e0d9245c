import type { Issue } from "#lib/errors.ts";
import type { Coverage } from "#lib/fonts/coverage.ts";
import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";

import { textOf } from "#lib/templates/fields/field-types.ts";
import { leafPointer, leavesOf } from "#lib/templates/lists/leaf-fields.ts";
import type { FieldValues, Template } from "#lib/templates/template.ts";
import { bidiFaults } from "./bidi-faults.ts";
import { contrastFaults } from "./contrast-faults.ts";
import { emptyFaults } from "./empty-faults.ts";
import { type HanRegion, hanFormFaults, missingGlyphFaults, mixedWordFaults } from "./face-faults.ts";
import { overlapFaults, placeFaults } from "./ink-faults.ts";
import { numberFaults } from "./number-faults.ts";
import { orphanFaults } from "./orphan-faults.ts";

/** What a picture should show. */
export type Wanted = {
  /** The texts, by field. */
  texts: Map<string, string>;
  /** Whose Han forms the texts want. */
  region?: HanRegion | undefined;
  /** The template's own words are in another language than the texts. */
  keepsWords?: boolean | undefined;
  /** What the template's own fonts have. */
  glyphs?: Coverage | undefined;
};

/** The texts that a picture should show, by field. */
export function shownTexts({ fields }: Template, values: FieldValues, warnings: Issue[]): Map<string, string> {
  const ignored = warnings.filter(({ code }) => code === "field_ignored").map(({ path }) => path);
  const texts = leavesOf(fields, values).flatMap(({ id, declaration, value }): [string, string][] => {
    const text = textOf(declaration, value);
    return text !== undefined && !ignored.includes(leafPointer(id)) ? [[id, text]] : [];
  });
  return new Map(texts);
}

/** Everything that is wrong with a drawn page. */
export async function findFaults(page: ExaminedPage, { texts, region, keepsWords, glyphs }: Wanted): Promise<Fault[]> {
  return [
    ...emptyFaults(page, texts),
    ...placeFaults(page),
    ...(await overlapFaults(page)),
    ...(await contrastFaults(page)),
    ...mixedWordFaults(page),
    ...hanFormFaults(page, { region, keepsWords }),
    ...missingGlyphFaults(page, glyphs),
    ...orphanFaults(page),
    ...numberFaults(page),
    ...bidiFaults(page, [...texts.values()]),
  ];
}
