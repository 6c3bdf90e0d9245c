import { existsSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";

/** The memory that this process may have in bytes: the limit of its container (cgroup v1 or v2), or the memory of the machine. */
export function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

/** Memory of files by the statistics of a cgroup. Those of v1 have the sums with its subgroups under names of their own. */
const FILE_BYTES = { v1: /^total_(?:in)?active_file (\d+)$/gm, v2: /^(?:in)?active_file (\d+)$/gm };

/**
 * The statistics of the memory of this container (cgroups(7)). Empty where there are none.
 * @param root the folder that has `proc` and `sys`
 */
export function readContainerStat(root = "/"): string {
  try {
    const groups = readFileSync(join(/* turbopackIgnore: true */ root, "proc/self/cgroup"), "utf8");
    const v1 = /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(.*)$/m.exec(groups)?.[1];
    const folder = join(/* turbopackIgnore: true */ root, "sys/fs/cgroup", v1 === undefined ? "" : "memory");
    const path = v1 ?? /^0::(.*)$/m.exec(groups)?.[1] ?? "/";
    // Inside a container, the path may be that of the machine.
    const own = join(/* turbopackIgnore: true */ folder, path, "memory.stat");
    return readFileSync(existsSync(own) ? own : join(/* turbopackIgnore: true */ folder, "memory.stat"), "utf8");
  } catch {
    return "";
  }
}

/**
 * The memory in bytes that programs can still get. In a container, Node counts files that Linux keeps in memory as used, although
 * Linux gives that memory to programs that need it. Without a container, it does not.
 * @param stat the statistics of the cgroup
 */
export function availableMemory(stat = readContainerStat()): number {
  const [limit, available] = [memoryLimit(), process.availableMemory()];
  if (limit === totalmem()) return available;
  const found = [...stat.matchAll(stat.includes("total_active_file") ? FILE_BYTES.v1 : FILE_BYTES.v2)];
  return Math.min(limit, available + found.reduce((sum, [, bytes]) => sum + Number(bytes), 0));
}
