import type { Hash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { relative } from "node:path";

/** Of a larger file, only the time of its last change is read. The largest that a template may show is smaller. */
const MAX_HASHED_BYTES = 50_000_000;

/** The content of a file, or a text that stands for it. Pipes and devices are not read. */
function identityOf(path: string): string | Buffer {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return "no file";
    // Where a link leads decides whether the file is read at all. Many programs keep the time of a file that they replace.
    const { ino, size, mtimeMs, ctimeMs } = stats;
    if (lstatSync(path).isSymbolicLink()) return [realpathSync(path), ino, size, mtimeMs, ctimeMs].join(" ");
    return size > MAX_HASHED_BYTES ? `${mtimeMs}` : readFileSync(path);
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  }
}

/** Adds files to a hash, by their paths below a folder. Names and sizes keep contents apart. */
export function hashFiles(hash: Hash, root: string, paths: Iterable<string>): void {
  for (const path of [...paths].toSorted()) {
    const identity = identityOf(path);
    hash.update(`${relative(root, path)} ${identity.length}\n`).update(identity);
  }
}

/** The path, where something is there. */
export function existing(path: string): string[] {
  return existsSync(path) ? [path] : [];
}
