import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Copies the current fonts of this tree, which every run of tests builds before its files, to another tree.
 * To build them takes five seconds of processor time.
 */
export function copyFonts(tree: string): void {
  const { version } = JSON.parse(readFileSync(".platen/fonts.json", "utf8"));
  const names = [
    "fonts.json",
    ...[version, `${version}.json`, `${version}.families.json`].map((name) => join("fonts", name)),
  ];
  for (const name of names) cpSync(join(".platen", name), join(tree, ".platen", name), { recursive: true });
}
