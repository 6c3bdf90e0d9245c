import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { COPY_PAUSE_MS, SOCKET_PATH_BYTES } from "./embedded-limits.ts";
import { claimFolder, type FolderLock, releaseFolder, SOCKET_FOLDER_PREFIX, sendHeartbeat } from "./folder-lock.ts";
import { closeClaim, fileId, isOpen } from "./open-claims.ts";

/** Whether a socket can have this path. exFAT, shares of Windows and many disks of FUSE and of virtual machines have no sockets. */
async function canListen(path: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(path), "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/**
 * A new random path, so that a leftover socket is never in the way. It is in the folder for temporary files where that of the database
 * has no sockets, or its path is longer than systems allow.
 */
export async function socketPath(dir: string): Promise<string> {
  const name = `${randomBytes(6).toString("hex")}.socket`;
  const path = join(dir, name);
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES && (await canListen(path))) return path;
  return join(mkdtempSync(join(tmpdir(), SOCKET_FOLDER_PREFIX)), name);
}

/** Whether the folder has no database. A new one, where a disk is not mounted, would have no users. */
function isAway(dir: string): boolean {
  try {
    return statSync(join(dir, "data", "PG_VERSION"), { throwIfNoEntry: false }) === undefined;
  } catch {
    // The start says what is wrong with a folder that is there.
    return false;
  }
}

/**
 * Shows other servers that this process is alive.
 * @returns false when the claim is gone, or is the copy in a copy of the folder, which has taken its place
 */
export function holdsFolder({ file, id }: FolderLock): boolean {
  if (!sendHeartbeat({ file })) return false;
  try {
    return fileId(file) === id;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** How many files a database has, and how many bytes. */
async function sizeOf(data: string): Promise<string> {
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return `${sizes.length} files of ${sizes.reduce((sum, size) => sum + size, 0)} bytes`;
}

/** A half of a copy would be opened and changed while the other half comes. @throws Error while a database grows that nobody serves */
async function requireWhole(dir: string, signal: AbortSignal): Promise<void> {
  const before = await sizeOf(join(dir, "data"));
  await sleep(COPY_PAUSE_MS, undefined, { signal });
  if ((await sizeOf(join(dir, "data"))) === before) return;
  throw new Error(`The database in ${dir} is still being copied.`);
}

type Kept = { dir: string; lock: FolderLock; signal: AbortSignal };

/**
 * Keeps a folder that this process has served, and claims it again where its claim is gone: the folder was moved or deleted, its disk was
 * away, or another server took it over while this process was paused.
 *
 * @returns the claim
 * @throws Error when there is no whole database; FolderInUse when another server has it; the error of the file system; the signal's reason
 */
export async function keepFolder({ dir, lock, signal }: Kept): Promise<FolderLock> {
  if (isAway(dir)) {
    closeClaim(lock.file);
    throw new Error(`There is no database in ${dir}. Is its disk mounted?`);
  }
  if (isOpen(lock.file) && holdsFolder(lock)) return lock;
  // What a copy of the folder has of them.
  releaseFolder(lock);
  // A copy may be one that all users of this machine can read.
  chmodSync(dir, 0o700);
  const claimed = await claimFolder({ dir, socket: await socketPath(dir), onWait: () => undefined, signal });
  try {
    await requireWhole(dir, signal);
    return claimed;
  } catch (error) {
    releaseFolder(claimed);
    throw error;
  }
}
