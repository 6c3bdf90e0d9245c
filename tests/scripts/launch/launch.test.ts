import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { identityOf } from "#lib/processes.ts";

/** A folder with a space in its name, which holds the launcher as a clone does. */
function folderWithSpace(): string {
  const parent = mkdtempSync(join(tmpdir(), "platen launch "));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const dir = join(parent, "a clone");
  mkdirSync(dir);
  for (const name of ["launch.mjs", "launch", "parent-end.ts"])
    cpSync(join("scripts", name), join(dir, "scripts", name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(dir, "node_modules"));
  return dir;
}

/** A Node before 22.15, and any Node on Windows, cannot replace its process. */
const SPAWNS = ["--import", "data:text/javascript,delete process.execve"];

/** Launches a program. @returns the launcher, and what the program prints in its first line, once it is there */
async function launch(
  options: string[],
  program: string,
  cwd = ".",
): Promise<{ launcher: ChildProcess; line: string }> {
  const args = [...options, "scripts/launch.mjs", "LAUNCHED=a b=c", "--input-type=module", "--eval", program];
  const env = { ...process.env, npm_lifecycle_event: undefined };
  const launcher = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    launcher.kill("SIGKILL");
  });
  const [line] = await once(createInterface({ input: launcher.stdout }), "line");
  return { launcher, line };
}

describe.each([
  ["replaces its process", []],
  ["starts a second process", SPAWNS],
])("a launcher that %s", (_way, options) => {
  it("runs the Node of the lockfile, with the environment of the script, in a folder with a space", async () => {
    const program =
      "console.log(JSON.stringify([process.pid, process.version, process.env.LAUNCHED])); process.exit(7)";
    const { launcher, line } = await launch(options, program, folderWithSpace());
    const [pid, version, launched] = JSON.parse(line);
    expect(pid === launcher.pid).toBe(options.length === 0);
    expect([version, launched]).toEqual([process.version, "a b=c"]);
    expect(await once(launcher, "exit")).toEqual([7, null]);
  });

  it("passes each signal on once, and ends with the exit code of the script", async () => {
    const program = `let signals = 0;
      process.on("SIGTERM", () => { signals += 1; setTimeout(() => process.exit(10 + signals), 100) });
      setInterval(() => undefined, 1000); console.log("ready")`;
    const { launcher } = await launch(options, program);
    launcher.kill("SIGTERM");
    expect(await once(launcher, "exit")).toEqual([11, null]);
  });

  it("ends by the signal that ended the script", async () => {
    const { launcher } = await launch(options, `setInterval(() => undefined, 1000); console.log("ready")`);
    launcher.kill("SIGINT");
    expect(await once(launcher, "exit")).toEqual([null, "SIGINT"]);
  });

  it("does not leave a server behind when it is killed", async () => {
    const module = JSON.stringify(resolve("scripts/parent-end.ts"));
    const program = `import { onParentEnd } from ${module}; onParentEnd(() => process.exit(0));
      setInterval(() => undefined, 1000); console.log(process.pid)`;
    const { launcher, line } = await launch(options, program);
    launcher.kill("SIGKILL");
    await expect.poll(() => identityOf(Number(line)), { timeout: 30_000 }).toBeUndefined();
  });
});

it("refuses a Node that is too old, and says what to do", async () => {
  const old = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.9.0" })`;
  const guard = spawn(process.execPath, ["--import", old, "scripts/launch/guard.mjs"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [text] = await once(guard.stderr.setEncoding("utf8"), "data");
  expect(text).toContain("Platen needs Node 24 or newer, and got 20.9.0");
  expect(text).toContain("npm ci");
  expect(await once(guard, "exit")).toEqual([1, null]);
});

it("a follower does not outlive the process that started it", async () => {
  const module = JSON.stringify(resolve("scripts/parent-end.ts"));
  const program = `import { spawn } from "node:child_process"; import { asFollower } from ${module};
    const { args, env } = asFollower(["--eval", "console.log(process.pid); setInterval(() => undefined, 1000)"], process.env);
    spawn(process.execPath, args, { stdio: "inherit", env })`;
  const { launcher, line } = await launch([], program);
  expect(identityOf(Number(line))).toBeDefined();
  launcher.kill("SIGKILL");
  await expect.poll(() => identityOf(Number(line)), { timeout: 30_000 }).toBeUndefined();
});

it("a script does not outlive npm that ended while the script was loaded", async () => {
  const module = JSON.stringify(resolve("scripts/parent-end.ts"));
  const script = `import { onParentEnd } from ${module}; const npm = process.ppid; console.log(process.pid);
    while (process.ppid === npm) await new Promise((resolve) => setTimeout(resolve, 10));
    onParentEnd(() => process.exit(0)); setInterval(() => undefined, 1000)`;
  const npm = `import { spawn } from "node:child_process";
    const args = ["scripts/launch.mjs", "--input-type=module", "--eval", ${JSON.stringify(script)}];
    spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, npm_lifecycle_event: "start" } })`;
  const { launcher, line } = await launch([], npm);
  onTestFinished(() => void spawn("kill", ["-9", line]));
  launcher.kill("SIGKILL");
  await expect.poll(() => identityOf(Number(line)), { timeout: 30_000 }).toBeUndefined();
});
