import { utimesSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "#lib/environment/config-error.ts";
import { freeRoom } from "#lib/free-room.ts";

/** PostgreSQL makes room for its write-ahead log in files of this size. */
export const LOG_FILE_BYTES = 16 * 1024 * 1024;

/** How much room the disk of a folder has, in bytes. Without limit where that is unknown. */
export function roomIn(dir: string): number {
  return freeRoom(dir) ?? Number.POSITIVE_INFINITY;
}

/** Writes, because Linux may let everything but writes pass after a fault of the disk. */
function isReadOnly(dir: string): boolean {
  const now = new Date();
  try {
    utimesSync(dir, now, now);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EROFS";
  }
}

function diskFault(dir: string, { code, message, cause }: { code: string; message: string; cause: unknown }): Error {
  return Object.assign(new Error(message, { cause }), { code, syscall: "write", path: dir });
}

/**
 * The error of the embedded database with what to do where its disk is full or read-only. PGlite itself ends with the number of an exit
 * then, and Node does not name the file of a failed write.
 */
export function explainDisk(dir: string, cause: unknown): unknown {
  if (isReadOnly(dir)) {
    const remedy = "Linux makes one read-only after a fault of the disk, which dmesg shows. Mount it for writing again";
    const message = `The disk of the embedded database is read-only: ${dir}. ${remedy}.`;
    return diskFault(dir, { code: "EROFS", message, cause });
  }
  const { code = "" } = (cause ?? {}) as NodeJS.ErrnoException;
  if (!["ENOSPC", "EDQUOT"].includes(code) && roomIn(dir) >= LOG_FILE_BYTES) return cause;
  const message = `The disk of the embedded database is full: ${dir}. Make room.`;
  return diskFault(dir, { code: "ENOSPC", message, cause });
}

/** All that PGlite says when PostgreSQL ends at its start. */
const ENDED_AT_START = /^Aborted\(\)|^PGlite failed to initialize/;

/** The error of a start, with what to do where PostgreSQL cannot read the data. */
export function explainDamage(dir: string, error: unknown): unknown {
  if (!(error instanceof Error && ENDED_AT_START.test(error.message))) return error;
  const data = join(dir, "data");
  const message = `PostgreSQL cannot open ${data}. If it cannot at a second start either, the data is damaged: restore a backup into another folder, or move this one away to start with an empty database`;
  return new ConfigError([{ variable: "SERVICE_DATABASE_DIR", message }]);
}
