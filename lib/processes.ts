import { readFileSync, readlinkSync } from "node:fs";

/** A process, told apart from a later one with the same number by when it started (clock ticks since boot). */
export type ProcessIdentity = { pid: number; start: string };

/** When a process started, in clock ticks since boot; undefined when it has ended, or where there is no `/proc`. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in brackets and may hold spaces and brackets: proc_pid_stat(5).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** @returns undefined when the process has ended, or where there is no `/proc` */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const start = startOf(pid);
  return start === undefined ? undefined : { pid, start };
}

export function isAlive({ pid, start }: ProcessIdentity): boolean {
  return startOf(pid) === start;
}

function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
  } catch {
    return "0";
  }
}

/** Differs from one run of the machine to the next, and between machines; empty where there is no `/proc`. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

/** Names this process in the name of a file that must not outlive it. */
export function ownerTag(): string {
  return `${processNamespace()}-${process.pid}-${startOf(process.pid) ?? "0"}`;
}

/** Whether the process of an {@link ownerTag} runs. It is unknown for one of another container or a malformed tag. */
export function ownerState(tag: string): "alive" | "dead" | "unknown" {
  const [, namespace, pid, start] = /^(\d+)-(\d+)-(\d+)$/.exec(tag) ?? [];
  if (namespace !== processNamespace() || namespace === "0" || start === undefined) return "unknown";
  return isAlive({ pid: Number(pid), start }) ? "alive" : "dead";
}

/** Kills a whole process group at once. Stopped processes die too. Nothing happens when it has ended already. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // ESRCH: every member has ended.
  }
}
