import { closestMatch } from "leven";

/** No name of ours is longer, in characters. What is longer is not compared at all: it may be megabytes. */
const LONGEST_NAME_CHARS = 60;

/** A slip of the fingers changes two characters of any name; a long name may be remembered wrongly in a third of them. */
const SLIP_CHARS = 2;
const REMEMBERED_PART = 1 / 3;

/**
 * Which of the names was meant by one that is none of them, for a "Did you mean": the nearest, whatever its case, and
 * undefined where none is near. The time is linear in the number of candidates, whatever the name.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME_CHARS) return undefined;
  const maxDistance = Math.max(SLIP_CHARS, Math.floor(name.length * REMEMBERED_PART));
  const folded = candidates.map((candidate) => candidate.toLowerCase());
  const nearest = closestMatch(name.toLowerCase(), folded, { maxDistance });
  return nearest === undefined ? undefined : candidates[folded.indexOf(nearest)];
}
