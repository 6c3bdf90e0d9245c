import { readFileSync, readlinkSync } from "node:fs";

/** Identifies a process by its pid and its start time in clock ticks since boot. */
export type ProcessIdentity = { pid: number; start: string };

/** The start time in clock ticks since boot. Undefined when the process has ended, or without `/proc`. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in parentheses. It may contain spaces and parentheses: proc_pid_stat(5).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** @returns undefined when the process has ended, or without `/proc` */
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

/** Identifies one boot of one machine. Empty without `/proc`. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

/** Identifies this process in the name of a file, so that the file can be removed once the process has ended. */
export function ownerTag(): string {
  return `${processNamespace()}-${process.pid}-${startOf(process.pid) ?? "0"}`;
}

/** Whether the process of an {@link ownerTag} is running. Unknown for another container or a malformed tag. */
export function ownerState(tag: string): "alive" | "dead" | "unknown" {
  const [, namespace, pid, start] = /^(\d+)-(\d+)-(\d+)$/.exec(tag) ?? [];
  if (namespace !== processNamespace() || namespace === "0" || start === undefined) return "unknown";
  return isAlive({ pid: Number(pid), start }) ? "alive" : "dead";
}

/**
 * Kills a whole process group at once, stopped processes included. Does nothing when it has ended. Windows has no groups: the
 * processes of a browser end with its first one.
 */
export function killGroup(leader: number): void {
  try {
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // ESRCH: every member has ended.
  }
}
