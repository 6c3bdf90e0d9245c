import { totalmem } from "node:os";

/** The memory that this process may have in bytes: the limit of its container (cgroup v1 or v2), or the memory of the machine. */
export function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
