import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onParentEnd } from "#scripts/parent-end.ts";

/**
 * Runs npm scripts side by side. All of them run to their end, even if one fails:
 *   node scripts/run-all.ts test:service test:pages
 * Each line of output begins with the name of its script. The end of a failed script's output is printed again at the very end,
 * because a long log is read from there. The exit code is 1 when one of them failed, or when a signal stopped them.
 */
const names = process.argv.slice(2);
let stopSignal: NodeJS.Signals | undefined;

/** Enough for the summary of several failed tests. */
const REPEATED_LINES = 80;

/** How long the output of a script that ended is awaited. What it left running may keep the output open for ever. */
const LAST_OUTPUT_MS = 2_000;

// Scripts whose output is a pipe print no colours by themselves.
const env = process.stdout.isTTY ? { FORCE_COLOR: "1", ...process.env } : process.env;

/** Prints each line of `child` after the name of its script. @returns the last lines so far, of both its outputs */
function passOn(name: string, child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    if (!from) continue;
    createInterface({ input: from }).on("line", (line) => {
      to.write(`${name}: ${line}\n`);
      lines.push(line);
      if (lines.length > REPEATED_LINES) lines.shift();
    });
  }
  return lines;
}

type Result = { name: string; outcome: string; hasPassed: boolean; lastLines: string[] };

async function run(name: string): Promise<Result> {
  const child = spawn("npm", ["run", name], { stdio: ["ignore", "pipe", "pipe"], env });
  const lastLines = passOn(name, child);
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
  const outcome = code === 0 ? "passed" : `failed (${signal ?? `exit code ${code}`})`;
  return { name, outcome, hasPassed: code === 0, lastLines };
}

onParentEnd(() => process.kill(process.pid, "SIGTERM"));

const results = await Promise.all(names.map(run));
const ends = results
  .filter(({ hasPassed }) => !hasPassed)
  .map(({ name, lastLines }) => `The end of ${name}, which failed:\n\n${lastLines.join("\n")}`);
console.log(`\n${[...ends, results.map(({ name, outcome }) => `${name}: ${outcome}`).join("\n")].join("\n\n")}`);
// A script may pass although a signal came: it was at its end.
if (stopSignal || ends.length > 0) process.exitCode = 1;
