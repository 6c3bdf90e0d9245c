import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The argument of `node --import` that gives a process long database limits. */
export const LONG_LIMITS = join(import.meta.dirname, "programs/long-limits.ts");

type Run = {
  process: ChildProcess;
  /** Everything printed so far. */
  output: () => string;
  /** Resolves with the exit code, or the name of the signal. */
  ended: Promise<number | string>;
};

type Options = { args?: string[]; env?: Record<string, string | undefined> };

/** Runs a program of the folder `programs`, and kills it when the test ends. */
export function runProgram(name: string, { args = [], env = {} }: Options = {}): Run {
  const file = join(import.meta.dirname, "programs", `${name}.ts`);
  const child = spawn(process.execPath, ["--import", LONG_LIMITS, file, ...args], { env: { ...process.env, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = once(child, "close").then(([code, signal]): number | string => code ?? signal);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { process: child, output: () => output, ended };
}
