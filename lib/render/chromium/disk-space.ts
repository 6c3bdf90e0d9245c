import { accessSync, constants, statfsSync } from "node:fs";
import { FREE_DISK_BYTES, SHARED_MEMORY_BYTES } from "#lib/render/render-limits.ts";

/** Synchronous, because asking takes the kernel 5 µs, and the thread pool may be busy compressing pictures. */
function freeBytes(dir: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Where Linux keeps shared memory as files that are never written to a disk; shm_overview(7). */
const MEMORY_DIR = "/dev/shm";

/** Whether processes can share as much memory there as a browser's need. */
export function hasSharedMemory(): boolean {
  try {
    accessSync(MEMORY_DIR, constants.W_OK);
    return (freeBytes(MEMORY_DIR) ?? 0) >= SHARED_MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** The folder in which the processes of a browser share memory, given its own. */
export function sharedMemoryDir(dir: string, { sharesOnDisk }: { sharesOnDisk: boolean }): string {
  return sharesOnDisk ? dir : MEMORY_DIR;
}

/**
 * A browser that finds the disk full while it draws just stops drawing, and a new one ends.
 * @throws Error with the code ENOSPC when too little room is left for a picture
 */
export function requireRoom(dir: string): void {
  // A folder that cannot be asked about fails, or not, where something is written to it.
  if ((freeBytes(dir) ?? Number.POSITIVE_INFINITY) < FREE_DISK_BYTES)
    throw Object.assign(new Error("Too little room is left for a browser."), { code: "ENOSPC" });
}
