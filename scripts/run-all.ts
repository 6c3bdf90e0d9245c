import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onParentEnd } from "#scripts/parent-end.ts";

/**
 * Runs npm scripts one after the other. All of them run, even if one fails:
 *   node scripts/run-all.ts test:service test:pages
 * The end of a failed script's output is printed again at the very end: a long log is read from there.
 * Its exit code is 1 when one of them failed. A signal ends the script that runs, and the others do not start.
 */
const names = process.argv.slice(2);
const results: string[] = [];
const failures: string[] = [];
let stopSignal: NodeJS.Signals | undefined;

/** Enough for the summary of several failed tests. */
const REPEATED_LINES = 80;

/** How long the output of a script that ended is awaited. What it left running may keep the output open for ever. */
const LAST_OUTPUT_MS = 2_000;

/** Prints what `child` prints. @returns the last lines so far, of both its outputs */
function passOn(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    if (!from) continue;
    from.pipe(to, { end: false });
    createInterface({ input: from }).on("line", (line) => {
      lines.push(line);
      if (lines.length > REPEATED_LINES) lines.shift();
    });
  }
  return lines;
}

/** npm as it runs this script. On Windows, the name alone is a batch file, which cannot be started without a shell. */
function npmCommand(): [string, ...string[]] {
  const script = process.env.npm_execpath;
  return script ? [process.execPath, script] : ["npm"];
}

// Scripts whose output is a pipe print no colours by themselves.
const env = process.stdout.isTTY ? { FORCE_COLOR: "1", ...process.env } : process.env;

onParentEnd(() => process.kill(process.pid, "SIGTERM"));

for (const [index, name] of names.entries()) {
  if (stopSignal) break;
  const [command, ...args] = npmCommand();
  const child = spawn(command, [...args, "run", name], { stdio: ["inherit", "pipe", "pipe"], env });
  const lastLines = passOn(child);
  const closed = once(child, "close");
  const stop = (signal: NodeJS.Signals) => {
    stopSignal = signal;
    // Ctrl-C reaches the whole process group by itself, and a second SIGINT would cut off the tear-down.
    if (signal === "SIGTERM") child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  const [code, signal] = await once(child, "exit");
  const { promise: waitedEnough, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LAST_OUTPUT_MS);
  await Promise.race([closed, waitedEnough]);
  clearTimeout(timer);
  child.stdout.destroy();
  child.stderr.destroy();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
  if (code !== 0) process.exitCode = 1;
  // The end of the last script is the end of the log already.
  if (code !== 0 && index < names.length - 1)
    failures.push(`The end of ${name}, which failed:\n\n${lastLines.join("\n")}`);
  results.push(`${name}: ${code === 0 ? "passed" : `failed (${signal ?? `exit code ${code}`})`}`);
}
// The script may have passed before the signal took effect, and the others did not run.
if (stopSignal) process.exitCode = 1;
console.log(`\n${[...failures, results.join("\n")].join("\n\n")}`);
