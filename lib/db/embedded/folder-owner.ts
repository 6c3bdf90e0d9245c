import { closeSync, constants, fchownSync, fstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "#lib/environment/config-error.ts";

const ROOT = 0;

type Owner = { uid: number; gid: number };

/** Opens a file without following a link, and without waiting for the writer of a pipe. */
const OPEN_ITSELF = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a file or a folder while `act` runs. Ignores every failure, such as a file that is gone or a file system without owners. */
function withOpen(path: string, act: (descriptor: number) => void): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, OPEN_ITSELF);
    act(descriptor);
  } catch {
    // The next start names the files that it may not open.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Skips files with a second name (a hard link), which may be files of the system. */
function give(descriptor: number, { uid, gid }: Owner): void {
  const found = fstatSync(descriptor);
  const isOurs = found.isDirectory() || (found.isFile() && found.nlink === 1);
  if (isOurs && found.uid === ROOT) fchownSync(descriptor, uid, gid);
}

/**
 * Gives everything in a folder to its owner. The owner can replace any part of a path by a link at any moment, so each name is looked
 * up in a folder that is already open, through `/proc`.
 */
function giveBelow(folder: number, owner: Owner): void {
  const here = `/proc/self/fd/${folder}`;
  for (const name of readdirSync(here)) {
    withOpen(join(here, name), (descriptor) => {
      if (fstatSync(descriptor).isDirectory()) giveBelow(descriptor, owner);
      give(descriptor, owner);
    });
  }
}

/**
 * Gives files that root has made in the folder of another user to that user. Otherwise the user's server could not open the database
 * after root made a backup or a restore. Never throws: the next start names the files that it may not open.
 */
export function giveToOwner(dir: string): void {
  if (process.geteuid?.() !== ROOT) return;
  // The folder itself may be a link, which the operator has made.
  withOpen(`${dir}/.`, (folder) => {
    const { uid, gid } = fstatSync(folder);
    if (uid !== ROOT) giveBelow(folder, { uid, gid });
  });
}

/** Opens the file, because `access` checks the real user, not the effective one. */
function isForeign(path: string): boolean {
  try {
    closeSync(openSync(path, "r+"));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

function findForeign(dir: string): string | undefined {
  try {
    const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
    return entries.map(({ parentPath, name }) => join(parentPath, name)).find(isForeign);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    return code === "EACCES" ? path : undefined;
  }
}

/**
 * Explains why a database could not be opened, if a file in it belongs to another user. PGlite itself reports only that it aborted.
 * @returns a ConfigError with the command that mends it, or the given error
 */
export function explainForeignFiles(dir: string, error: unknown): unknown {
  const path = findForeign(join(dir, "data"));
  if (path === undefined) return error;
  const message = `this user may not open ${path}, which another user has made. As root: chown -R --reference=${dir} ${dir}`;
  return new ConfigError([{ variable: "SERVICE_DATABASE_DIR", message }]);
}
