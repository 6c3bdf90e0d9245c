import { statfsSync } from "node:fs";
import { FREE_DISK_BYTES } from "./limits.ts";

/**
 * A browser that finds the disk full while it draws just stops drawing, and a new one ends. Synchronous, because asking takes
 * the kernel 5 µs, and the thread pool may be busy compressing pictures.
 * @throws Error with the code ENOSPC when too little room is left for a picture, or with whatever code the system has
 */
export function requireRoom(dir: string): void {
  const { bavail, bsize } = statfsSync(dir);
  if (bavail * bsize < FREE_DISK_BYTES)
    throw Object.assign(new Error("Too little room is left for a browser."), { code: "ENOSPC" });
}
