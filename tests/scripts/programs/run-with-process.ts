import { spawn } from "node:child_process";
import { spawnGroup } from "#tests/process-group.ts";
import watchRun from "#tests/watch-run.ts";

/** A run of tests: it starts a process that only SIGKILL ends, in one of two ways, prints the number of it, and waits. */
const LINE = "trap '' QUIT TERM INT; sleep 603; true";

function start(): number | undefined {
  if (process.argv[2] === "group") return spawnGroup(["sh", "-c", LINE]).pid;
  watchRun();
  return spawn("sh", ["-c", LINE], { detached: true, stdio: "ignore" }).pid;
}

console.log(start());
setInterval(() => undefined, 60_000);
