import { onParentEnd } from "#scripts/parent-end.ts";
import { afterThisProcess } from "#tests/end-watcher.ts";
import { killLeftProcesses, RUN_VARIABLE } from "#tests/left-processes.ts";

/** Kills every process that inherited the variable, until there is none. Without `/proc` it finds none. */
const killLine = (runId: string) => `
  for round in 1 2 3 4 5; do
    for environ in $(grep -zlxF '${RUN_VARIABLE}=${runId}' /proc/[0-9]*/environ); do
      pid=\${environ#/proc/}
      kill -KILL "\${pid%/environ}"
    done
    sleep 0.2
  done`;

/**
 * Runs before the tests, for Vitest and for Playwright. All processes of the run inherit a variable. If the run is killed, or npm
 * that started it, they are killed too.
 * @returns fails the run if a process that it started is still alive, and kills it
 */
export default function watchRun(): () => Promise<void> {
  const runId = String(process.pid);
  process.env[RUN_VARIABLE] = runId;
  const callOff = afterThisProcess(killLine(runId));
  onParentEnd(() => process.kill(process.pid, "SIGKILL"));
  return async () => {
    const left = await killLeftProcesses(RUN_VARIABLE, runId);
    callOff();
    if (left.length > 0) throw new Error(`These processes outlived the tests that started them:\n${left.join("\n")}`);
  };
}
