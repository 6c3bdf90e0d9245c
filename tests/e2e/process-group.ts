import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** Ends the watcher of each process group that may still run, by the number of the group. */
const watchers = new Map<number, () => void>();

/** @returns whether the group had a process */
function signalGroup(group: number, signal: "SIGKILL" | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

function forgetGroup(group: number): void {
  watchers.get(group)?.();
  watchers.delete(group);
}

/** Starts a shell that kills a group when this process ends, however it ends: that closes the pipe it reads from. */
function watchGroup(group: number): () => void {
  const script = `read -r _; kill -KILL -${group}`;
  const watcher = spawn("sh", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  watcher.unref();
  // The pipe is a socket, and would keep this process alive as well.
  (watcher.stdin as unknown as { unref(): void }).unref();
  return () => void watcher.kill("SIGKILL");
}

/**
 * Starts a command in a process group of its own, which a test can signal as a terminal does. Whatever still runs of the
 * group is killed at the end of the test file, and at the end of this process, also when a test fails or times out.
 */
export function spawnGroup(
  [command, ...args]: [string, ...string[]],
  { cwd, env }: { cwd: string; env?: NodeJS.ProcessEnv },
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(command, args, {
    cwd,
    env: env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Could not start ${command}.`);
  watchers.set(pid, watchGroup(pid));
  child.once("exit", () => {
    if (!signalGroup(pid, 0)) forgetGroup(pid);
  });
  return child;
}

// Playwright imports this file as well, and has no such hook for a file. There, the end of the worker ends the groups.
if (process.env.VITEST) {
  const { afterAll } = await import("vitest");
  afterAll(() => {
    for (const group of [...watchers.keys()]) {
      signalGroup(group, "SIGKILL");
      forgetGroup(group);
    }
  });
}
