import { nearestByLastPart, nearestName } from "#lib/nearest-name.ts";

const MAX_SUGGESTIONS = 3;

/** Suggestions for an unknown slug: the nearest in spelling first, then those that share a word with it. */
export function nearestSlugs(slug: string, slugs: string[]): string[] {
  const words = slug
    .toLowerCase()
    .split(/[/-]+/)
    .filter((word) => word.length > 2);
  const related = slugs.filter((candidate) => words.some((word) => candidate.includes(word)));
  const found = [nearestName(slug, slugs), nearestByLastPart(slug, slugs), ...related].filter(
    (candidate) => candidate !== undefined,
  );
  return [...new Set(found)].slice(0, MAX_SUGGESTIONS);
}
