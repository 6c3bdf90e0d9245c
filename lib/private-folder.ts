import { existsSync } from "node:fs";
import { lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

const PRIVATE = { mode: 0o700 };

/** The highest folder of a path that does not exist. */
function highestMissing(dir: string): string {
  const above = dirname(dir);
  return above === dir || existsSync(/* turbopackIgnore: true */ above) ? dir : highestMissing(above);
}

/**
 * Makes a folder that only this user may enter, and those above it. Not synchronous: on a disk that stands still, as for a snapshot, the
 * system waits even before it finds that the folder is there.
 * @throws a file system Error with the reason as its `code`. On a read-only disk, Node's `recursive` gives ENOENT instead of EROFS
 */
export async function makePrivateFolder(dir: string): Promise<void> {
  try {
    await mkdir(/* turbopackIgnore: true */ dir, { recursive: true, ...PRIVATE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") await mkdir(highestMissing(dir), PRIVATE);
    throw error;
  }
}

/** Whether a path is a folder of this user with mode 0700. Windows has no modes: a user's folder is private there. @throws a file system Error with a `code` */
export async function isPrivateFolder(path: string): Promise<boolean> {
  const found = await lstat(path);
  if (process.getuid === undefined) return found.isDirectory();
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o777) === 0o700;
}
