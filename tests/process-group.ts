import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { afterThisProcess } from "#tests/end-watcher.ts";

/** Calls off the watcher of each process group that may still run, by the number of the group. */
const watched = new Map<number, () => void>();

/** @returns whether the group had a process */
function signalGroup(group: number, signal: "SIGKILL" | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

function forgetGroup(group: number): void {
  watched.get(group)?.();
  watched.delete(group);
}

/** PostgreSQL frees its shared memory at SIGQUIT. Others end at once. */
const killLine = (group: number) => `kill -QUIT -${group}; sleep 1; kill -KILL -${group}`;

type GroupOptions = { cwd?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number };

/**
 * Starts a command in a process group of its own, which a test can signal as a terminal does. Whatever still runs of the
 * group is killed at the end of the test file, and at the end of this process, also when a test fails or times out.
 */
export function spawnGroup(
  [command, ...args]: [string, ...string[]],
  options: GroupOptions = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Could not start ${command}.`);
  watched.set(pid, afterThisProcess(killLine(pid)));
  child.once("exit", () => {
    if (!signalGroup(pid, 0)) forgetGroup(pid);
  });
  return child;
}

/** Kills what still runs of the groups that this process has started. */
export function killGroups(): void {
  for (const group of [...watched.keys()]) {
    signalGroup(group, "SIGKILL");
    forgetGroup(group);
  }
}
