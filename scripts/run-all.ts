import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Runs npm scripts one after the other. All of them run, even if one fails:
 *   node scripts/run-all.ts test:service test:pages
 * Its exit code is 1 when one of them failed. A signal ends the script that runs, and the others do not start.
 */
const names = process.argv.slice(2);
const results: string[] = [];
let stopSignal: NodeJS.Signals | undefined;

for (const name of names) {
  if (stopSignal) break;
  const child = spawn("npm", ["run", name], { stdio: "inherit" });
  const stop = (signal: NodeJS.Signals) => {
    stopSignal = signal;
    // Ctrl-C reaches the whole process group by itself, and a second SIGINT would cut off the tear-down.
    if (signal === "SIGTERM") child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  const [code, signal] = await once(child, "exit");
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
  if (code !== 0) process.exitCode = 1;
  results.push(`${name}: ${code === 0 ? "passed" : `failed (${signal ?? `exit code ${code}`})`}`);
}
// The script may have passed before the signal took effect, and the others did not run.
if (stopSignal) process.exitCode = 1;
console.log(`\n${results.join("\n")}`);
