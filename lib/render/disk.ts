import { statfsSync } from "node:fs";
import { FREE_DISK_BYTES } from "./limits.ts";

/** Synchronous, because asking takes the kernel 5 µs, and the thread pool may be busy compressing pictures. */
function freeBytes(dir: string): number {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    // A folder that cannot be asked about fails, or not, where something is written to it.
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * A browser that finds the disk full while it draws just stops drawing, and a new one ends.
 * @throws Error with the code ENOSPC when too little room is left for a picture
 */
export function requireRoom(dir: string): void {
  if (freeBytes(dir) < FREE_DISK_BYTES)
    throw Object.assign(new Error("Too little room is left for a browser."), { code: "ENOSPC" });
}
