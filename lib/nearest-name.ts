import { closestMatch } from "leven";

/** Longer than any known name. A longer name, possibly of megabytes, is not compared. */
const LONGEST_NAME_CHARS = 60;

/** A typing error changes up to two characters. In a long name, up to a third of the characters may be wrong. */
const MIN_DISTANCE_CHARS = 2;
const MAX_DISTANCE_PART = 1 / 3;

function sortedLetters(text: string): string {
  return [...text].toSorted().join("");
}

/**
 * Finds the candidate that is nearest to an unknown name, for a "Did you mean". Case is ignored. Undefined where none
 * is near. A near candidate with the same letters goes before others. The time is linear in the number of candidates and does
 * not depend on the length of the name.
 * @param maxDistance how many characters may be wrong
 */
export function nearestName(
  name: string,
  candidates: readonly string[],
  maxDistance = Math.max(MIN_DISTANCE_CHARS, Math.floor(name.length * MAX_DISTANCE_PART)),
): string | undefined {
  if (name.length > LONGEST_NAME_CHARS) return undefined;
  const folded = candidates.map((candidate) => candidate.toLowerCase());
  const wanted = name.toLowerCase();
  // Two letters that changed places count as two errors, but are made at once.
  const sameLength = folded.filter((known) => known.length === wanted.length);
  const letters = sameLength.length === 0 ? "" : sortedLetters(wanted);
  const swapped = sameLength.filter((known) => sortedLetters(known) === letters);
  const nearest = closestMatch(wanted, swapped, { maxDistance }) ?? closestMatch(wanted, folded, { maxDistance });
  return nearest === undefined ? undefined : candidates[folded.indexOf(nearest)];
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * As {@link nearestName}, for the last part of a slug, whatever its folder: `quote` finds `social/quote`. At most a third of its
 * characters may be wrong.
 */
export function nearestByLastPart(slug: string, slugs: readonly string[]): string | undefined {
  const wanted = lastPart(slug);
  const parts = slugs.map(lastPart);
  const nearest = nearestName(wanted, parts, Math.floor(wanted.length * MAX_DISTANCE_PART));
  return nearest === undefined ? undefined : slugs[parts.indexOf(nearest)];
}
