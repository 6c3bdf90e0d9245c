import { nearestName } from "#lib/nearest-name.ts";
import { BRAND_FILE } from "./shared-files.ts";

/** A custom property of the brand. */
export const BRAND_PROPERTY = /^--(?:font-)?brand-/;

/** A use without a fallback, which stands after a comma. */
const USE = /var\(\s*(--(?:font-)?brand-[\w-]+)\s*\)/gi;

export type MissingProperty = { index: number; reason: string };

/**
 * Finds custom properties of the brand that a text uses and nothing declares. A browser would ignore the whole declaration.
 * @param declared the names of those that are declared
 */
export function missingBrandProperties(text: string, declared: string[]): MissingProperty[] {
  return [...text.matchAll(USE)].flatMap(({ 1: name = "", index }) => {
    if (declared.includes(name)) return [];
    const nearest = nearestName(name, declared);
    const remedy =
      nearest === undefined ? `Add it to ${BRAND_FILE} in the templates folder.` : `Did you mean ${nearest}?`;
    return [{ index, reason: `Got var(${name}), which ${BRAND_FILE} does not have. ${remedy}` }];
  });
}
