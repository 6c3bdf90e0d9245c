import { closeSync, lchownSync, lstatSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "#lib/environment/config-error.ts";

const ROOT = 0;

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).map((name) => join(dir, name));
}

/**
 * Gives what this process has made in the data of another user to that user. Root may open such data, for a backup or a restore, and
 * the server could not open it afterwards. Never throws: a start names what it may not open.
 */
export function giveToOwner(dir: string): void {
  if (process.geteuid?.() !== ROOT) return;
  try {
    const { uid, gid } = statSync(dir);
    if (uid === ROOT) return;
    for (const path of filesBelow(dir)) {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found?.uid === ROOT) lchownSync(path, uid, gid);
    }
  } catch {
    // A file system without owners, or one whose owners are fixed.
  }
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
    return filesBelow(dir).find(isForeign);
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
