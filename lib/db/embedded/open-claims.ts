import { type BigIntStats, closeSync, fstatSync, openSync, statSync } from "node:fs";

/** The claims of this process, which are open: the system gives the number of a file that is open to no other one. */
const descriptors = new Map<string, number>();

function idOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Tells the file of a path from a copy. @throws the error of the file system */
export function fileId(file: string): string {
  return idOf(statSync(file, { bigint: true }));
}

/** Keeps a claim open. @returns its {@link fileId} @throws the error of the file system */
export function openClaim(file: string): string {
  const descriptor = openSync(file, "r");
  descriptors.set(file, descriptor);
  return idOf(fstatSync(descriptor, { bigint: true }));
}

export function isOpen(file: string): boolean {
  return descriptors.has(file);
}

/** Closes a claim, which would keep its disk from being unmounted. */
export function closeClaim(file: string): void {
  const descriptor = descriptors.get(file);
  descriptors.delete(file);
  if (descriptor !== undefined) closeSync(descriptor);
}
