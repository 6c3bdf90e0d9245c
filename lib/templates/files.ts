import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a template's own text file may hold, in bytes: a hundred times the largest that ships. */
const MAX_TEXT_BYTES = 1_000_000;

/** A file that cannot be used. The message holds no path of the machine. */
export class FileRefused extends Error {
  override name = "FileRefused";
}

/**
 * Every file below a folder. Links to files are followed, as mounted configuration has them; links to folders are not, because
 * they may lead around in circles; hidden folders are left out, because mounted volumes keep their versions there.
 */
export function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(/* turbopackIgnore: true */ folder, entry.name);
    if (!entry.isDirectory()) yield path;
    else if (!entry.name.startsWith(".")) yield* filesBelow(path);
  }
}

/** @throws FileRefused for what is no file or too large, or Error with a code of the system */
export function readText(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile()) throw new FileRefused("Got a folder or a device, want a file");
  if (stats.size > MAX_TEXT_BYTES) throw new FileRefused(`Got ${stats.size} bytes, want at most ${MAX_TEXT_BYTES}`);
  return readFileSync(path, "utf8");
}
