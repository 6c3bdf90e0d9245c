import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import type { TextUnit } from "#lib/proof/page/text-unit.ts";

/** What an ellipsis alone, a hyphen or white space has none of. */
const CHARACTER = /[^\s.…·\-‐–—\u00ad\u200b-\u200f\u2060-\u206f]/u;

function hasInk({ strips }: ExaminedPage, { id }: TextUnit): boolean {
  return strips.some(({ unit, ink }) => unit.id === id && ink !== undefined);
}

/** @param values the texts that the picture should show, by field */
export function emptyFaults(page: ExaminedPage, values: Map<string, string>): Fault[] {
  return [...values].flatMap(([field, value]) => {
    const units = page.units.filter((unit) => unit.field === field);
    if (units.length === 0 || !CHARACTER.test(value)) return [];
    const message = `The field "${field}" shows none of its ${Array.from(value).length} characters.`;
    const shown = units.filter(({ text }) => CHARACTER.test(text));
    const [first = units[0]] = shown;
    if (!first || (shown.length > 0 && shown.some((unit) => hasInk(page, unit)))) return [];
    return [{ kind: "empty", field, message, box: first.box }];
  });
}
