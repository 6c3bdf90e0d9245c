import { relative } from "node:path";
import { PROJECT_DIR } from "#lib/config.ts";

/** A path as a reader types it: relative inside the project, where commands run, else absolute. */
export function shownPath(path: string): string {
  const inside = relative(PROJECT_DIR, path);
  return inside === "" || inside.startsWith("..") ? path : inside;
}
