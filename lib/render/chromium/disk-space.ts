import { accessSync, constants } from "node:fs";
import { freeRoom } from "#lib/free-room.ts";
import {
  PICTURE_COPIES,
  PICTURE_COPIES_OF_SAME_SIZE,
  PICTURE_ROOM_BYTES,
  SHARED_MEMORY_BYTES,
} from "#lib/render/render-limits.ts";

/** Where Linux keeps shared memory, as files in RAM; shm_overview(7). */
const MEMORY_DIR = "/dev/shm";

/** True when {@link MEMORY_DIR} is writable and has enough room for a browser. */
export function hasSharedMemory(): boolean {
  try {
    accessSync(MEMORY_DIR, constants.W_OK);
    return (freeRoom(MEMORY_DIR) ?? 0) >= SHARED_MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** The folder in which the processes of a browser share memory. @param dir the browser's own folder */
export function sharedMemoryDir(dir: string, { sharesOnDisk }: { sharesOnDisk: boolean }): string {
  return sharesOnDisk ? dir : MEMORY_DIR;
}

/** The same properties as those of a failed write, so that the log names the folder, and only once. */
const ROOMLESS = { code: "ENOSPC", syscall: "write" };

type Size = { width: number; height: number };

/**
 * The room in bytes that a picture needs where the processes of its browser share their memory.
 * @param last the size of the browser's last picture, if it has drawn any
 */
export function pictureRoom({ width, height }: Size, last?: Size): number {
  const isSameSize = last?.width === width && last.height === height;
  const copies = isSameSize ? PICTURE_COPIES_OF_SAME_SIZE : PICTURE_COPIES;
  return PICTURE_ROOM_BYTES + copies * 4 * width * height;
}

/**
 * Without this check, a running browser would stop drawing on a full disk, and a new one would exit.
 * @throws Error with the code ENOSPC when a folder has less room than these bytes
 */
export function requireRoom(dir: string, bytes: number): void {
  // If the room is unknown, the write itself decides.
  if ((freeRoom(dir) ?? Number.POSITIVE_INFINITY) < bytes)
    throw Object.assign(new Error("Too little room is left for a browser."), ROOMLESS, { path: dir });
}
