import { closeSync, constants, fchownSync, fstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "#lib/environment/config-error.ts";

const ROOT = 0;

type Owner = { uid: number; gid: number };

/** Opens what a path names itself, never where a link leads, and does not wait for the writer of a pipe. */
const OPEN_ITSELF = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a file or a folder for as long as `act` runs. Passes over what has gone, and file systems without owners or with fixed ones. */
function withOpen(path: string, act: (descriptor: number) => void): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, OPEN_ITSELF);
    act(descriptor);
  } catch {
    // A start names what it may not open.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A file with a second name may be one of the system. */
function give(descriptor: number, { uid, gid }: Owner): void {
  const found = fstatSync(descriptor);
  const isOurs = found.isDirectory() || (found.isFile() && found.nlink === 1);
  if (isOurs && found.uid === ROOT) fchownSync(descriptor, uid, gid);
}

/**
 * Gives everything in a folder to its owner, who can replace a part of a path by a link at any moment. So each name is looked up in
 * an open folder, which Linux shows below `/proc`.
 */
function giveBelow(folder: number, owner: Owner): void {
  const here = `/proc/self/fd/${folder}`;
  for (const entry of readdirSync(here, { withFileTypes: true })) {
    if (!entry.isDirectory() && !entry.isFile()) continue;
    withOpen(join(here, entry.name), (descriptor) => {
      if (fstatSync(descriptor).isDirectory()) giveBelow(descriptor, owner);
      give(descriptor, owner);
    });
  }
}

/**
 * Gives what this process has made in the data of another user to that user. Root may open such data, for a backup or a restore, and
 * the server could not open it afterwards. Never throws: a start names what it may not open.
 */
export function giveToOwner(dir: string): void {
  if (process.geteuid?.() !== ROOT) return;
  // The folder itself may be a link, which the operator has made.
  withOpen(`${dir}/.`, (folder) => {
    const { uid, gid } = fstatSync(folder);
    if (uid !== ROOT) giveBelow(folder, { uid, gid });
  });
}

/** Not `access`, which asks for the user who started the process. */
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
 * The error of a database that could not be opened, with what to do where another user has made a part of it. PGlite itself says only
 * that it has aborted.
 */
export function explainForeignFiles(dir: string, error: unknown): unknown {
  const path = findForeign(join(dir, "data"));
  if (path === undefined) return error;
  const message = `this user may not open ${path}, which another user has made. As root: chown -R --reference=${dir} ${dir}`;
  return new ConfigError([{ variable: "SERVICE_DATABASE_DIR", message }]);
}
