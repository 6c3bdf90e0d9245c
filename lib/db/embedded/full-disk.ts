import { statfsSync } from "node:fs";

/** PostgreSQL makes room for its write-ahead log in files of this size. */
export const LOG_FILE_BYTES = 16 * 1024 * 1024;

/** How much room the disk of a folder has, in bytes. Without limit where that is unknown. */
export function roomIn(dir: string): number {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * The error of the embedded database with what to do where its disk is full. PGlite itself ends with the number of an exit then, and
 * Node does not name the file of a failed write.
 */
export function explainFullDisk(dir: string, error: unknown): unknown {
  const { code = "" } = (error ?? {}) as NodeJS.ErrnoException;
  if (!["ENOSPC", "EDQUOT"].includes(code) && roomIn(dir) >= LOG_FILE_BYTES) return error;
  const message = `The disk of the embedded database is full: ${dir}. Make room.`;
  return Object.assign(new Error(message, { cause: error }), { code: "ENOSPC", syscall: "write", path: dir });
}
