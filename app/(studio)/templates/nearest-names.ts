import { nearestName } from "#lib/nearest-name.ts";

const MAX_SUGGESTIONS = 3;

/** Suggestions for an unknown slug: the nearest in spelling first, then those that share a word with it. */
export function nearestSlugs(slug: string, slugs: string[]): string[] {
  const words = slug
    .toLowerCase()
    .split(/[/-]+/)
    .filter((word) => word.length > 2);
  const nearest = nearestName(slug, slugs);
  const lastParts = slugs.map((candidate) => candidate.split("/").at(-1) ?? "");
  const byPart = slugs[lastParts.indexOf(nearestName(slug.split("/").at(-1) ?? "", lastParts) ?? "\0")];
  const related = slugs.filter((candidate) => words.some((word) => candidate.includes(word)));
  const found = [nearest, byPart, ...related].filter((candidate) => candidate !== undefined);
  return [...new Set(found)].slice(0, MAX_SUGGESTIONS);
}
