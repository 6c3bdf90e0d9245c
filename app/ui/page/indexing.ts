import type { Metadata } from "next";
import { allowsIndexing } from "#lib/config.ts";

/** What the pages tell search engines, unless they use {@link publicRobots}. */
export const HIDDEN = { index: false, follow: false } satisfies Metadata["robots"];

/** What a page that everyone may read in open mode tells search engines. */
export function publicRobots(): Metadata["robots"] {
  return allowsIndexing() ? { index: true, follow: true } : HIDDEN;
}
