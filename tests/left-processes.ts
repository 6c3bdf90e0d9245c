import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The environment variables that processes inherit from the run, and from the test file, that started them. */
export const RUN_VARIABLE = "PLATEN_TEST_RUN";
export const FILE_VARIABLE = "PLATEN_TEST_FILE";

/** How long a process may take to end after its test, in milliseconds. */
const END_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

type Started = { pid: number; command: string };

function readProcess(pid: number, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, "latin1");
}

function parentOf(pid: number): number {
  // The second field is the command in brackets and may hold spaces and brackets: proc_pid_stat(5).
  return Number(
    readProcess(pid, "stat")
      .replace(/^.*\) \S /s, "")
      .split(" ", 1),
  );
}

/** The processes that inherited a variable with this value. The workers of the run, children of this process, are none. */
function processesWith(variable: string, value: string): Started[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    try {
      if (!readProcess(pid, "environ").split("\0").includes(`${variable}=${value}`)) return [];
      if (variable === RUN_VARIABLE && parentOf(pid) === process.pid) return [];
      return { pid, command: readProcess(pid, "cmdline").replaceAll("\0", " ").trim() };
    } catch {
      // It has ended by now, or it is another user's.
      return [];
    }
  });
}

/**
 * Kills the processes that a test file or a whole run started and did not end. Without `/proc` it finds none.
 * @returns a line for each
 */
export async function killLeftProcesses(
  variable: string,
  value: string,
  { timeoutMs = END_TIMEOUT_MS } = {},
): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const deadline = performance.now() + timeoutMs;
  let left = processesWith(variable, value);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(POLL_MS);
    left = processesWith(variable, value);
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // ESRCH: it ended with one that was killed before.
    }
  }
  return left.map(({ pid, command }) => `${pid} ${command}`);
}
