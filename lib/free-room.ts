import { statfsSync } from "node:fs";

/**
 * How much room the disk of a folder has, in bytes. Undefined where that is unknown: a disk in memory without a limit, as a `tmpfs` with
 * `size=0` is, and many of FUSE say that they have no room at all, neither free nor used. Writes tell there.
 *
 * Synchronous: the kernel answers in 5 µs, and the thread pool may be busy compressing pictures.
 */
export function freeRoom(dir: string): number | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(dir);
    return blocks === 0 ? undefined : bavail * bsize;
  } catch {
    return undefined;
  }
}
