import { statfsSync } from "node:fs";

/** PostgreSQL makes room for its write-ahead log in files of this size. */
const LOG_FILE_BYTES = 16 * 1024 * 1024;

function isFull(dir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize < LOG_FILE_BYTES;
  } catch {
    return false;
  }
}

/**
 * The error of the embedded database with what to do where its disk is full. PGlite itself ends with the number of an exit then, and
 * Node does not name the file of a failed write.
 */
export function explainFullDisk(dir: string, error: unknown): unknown {
  const { code = "" } = (error ?? {}) as NodeJS.ErrnoException;
  if (!["ENOSPC", "EDQUOT"].includes(code) && !isFull(dir)) return error;
  const message = `The disk of the embedded database is full: ${dir}. Make room.`;
  return Object.assign(new Error(message, { cause: error }), { code: "ENOSPC", syscall: "write", path: dir });
}
