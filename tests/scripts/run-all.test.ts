import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let dir: string;
let run: ChildProcess | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "platen-run-all-"));
});

afterEach(() => {
  if (run?.pid && run.exitCode === null && run.signalCode === null) process.kill(-run.pid, "SIGKILL");
  run = undefined;
  rmSync(dir, { recursive: true, force: true });
});

/** Runs all of `scripts` in a package of their own. @returns the standard output so far, and the exit code */
function runAll(scripts: Record<string, string>): { output: () => string; exitCode: Promise<number> } {
  writeFileSync(join(dir, "package.json"), JSON.stringify({ scripts }));
  const child = spawn(process.execPath, [join(process.cwd(), "scripts/run-all.ts"), ...Object.keys(scripts)], {
    cwd: dir,
    stdio: ["ignore", "pipe", "ignore"],
    // A group of its own, which is signalled as a terminal does.
    detached: true,
  });
  run = child;
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return { output: () => output, exitCode: once(child, "close").then(([code]) => code) };
}

it("runs the second script when the first fails, and fails", async () => {
  const { output, exitCode } = runAll({ first: "exit 3", second: "echo second ran" });
  expect(await exitCode).toBe(1);
  expect(output()).toContain("second ran\n");
  expect(output()).toMatch(/\nfirst: failed \(exit code 3\)\nsecond: passed\n$/);
});

it("prints the last lines of a failed script again after those of the scripts that follow", async () => {
  const { output, exitCode } = runAll({
    first: "seq -f 'line %g' 200; echo 'FAIL first.test.ts' >&2; exit 1",
    second: "echo second ran",
  });
  await exitCode;
  const end = output().split("second ran\n").at(-1);
  expect(end).toContain("The end of first, which failed:");
  expect(end).toContain("\nline 200\n");
  expect(end).toContain("FAIL first.test.ts");
  expect(end).not.toContain("\nline 100\n");
});

it("prints only the results when all scripts passed", async () => {
  const { output, exitCode } = runAll({ first: "echo first ran", second: "echo second ran" });
  await exitCode;
  expect(output()).toMatch(/second ran\n\nfirst: passed\nsecond: passed\n$/);
});

it("ends though a process that a script left running holds its output open", async () => {
  const { output, exitCode } = runAll({ first: "sleep 600 & echo left $!" });
  const code = await exitCode;
  process.kill(Number(/^left (\d+)$/m.exec(output())?.[1]));
  expect(code).toBe(0);
});

it("fails when only the last script fails", async () => {
  expect(await runAll({ first: "exit 0", second: "exit 1" }).exitCode).toBe(1);
});

it("succeeds when all scripts do", async () => {
  expect(await runAll({ first: "exit 0", second: "exit 0" }).exitCode).toBe(0);
});

it.each(["SIGINT", "SIGTERM"] as const)("ends the running script on %s, and starts no other", async (signal) => {
  const { output, exitCode } = runAll({ first: "echo first runs; exec sleep 600", second: "echo second ran" });
  await expect.poll(output).toContain("first runs\n");
  // A terminal signals the whole group, a supervisor only the process.
  process.kill(signal === "SIGINT" ? -(run?.pid as number) : (run?.pid as number), signal);
  expect(await exitCode).toBe(1);
  expect(output()).not.toContain("second ran");
});

it("fails when a signal to it alone kept a script from running, though the script before it passed", async () => {
  execFileSync("mkfifo", [join(dir, "fifo")]);
  const { output, exitCode } = runAll({ first: "echo first runs; read line < fifo", second: "echo second ran" });
  await expect.poll(output).toContain("first runs\n");
  process.kill(run?.pid as number, "SIGINT");
  writeFileSync(join(dir, "fifo"), "go on\n");
  expect(await exitCode).toBe(1);
  expect(output()).toContain("first: passed");
  expect(output()).not.toContain("second ran");
});
