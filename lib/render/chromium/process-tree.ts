import { readdirSync, readFileSync } from "node:fs";

/** The direct children of a process. Throws when it has ended, and on a machine without `/proc`. */
export function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim());
  return lists.flatMap((list) => (list ? list.split(" ").map(Number) : []));
}

/** Reads something of a process that may end meanwhile. */
export function unlessEnded<T>(read: () => T, ended: T): T {
  try {
    return read();
  } catch {
    return ended;
  }
}

/** A process and its descendants. Only the process itself on a machine without `/proc`. */
export function processTree(pid: number): number[] {
  return [pid, ...unlessEnded(() => childrenOf(pid), []).flatMap(processTree)];
}
