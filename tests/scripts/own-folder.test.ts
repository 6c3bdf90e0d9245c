import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";

function otherFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "platen-elsewhere-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs this Node in a folder. */
function node(cwd: string, ...args: string[]) {
  return spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
}

it("the launcher runs a script in the folder of Platen, wherever it is called from", () => {
  const { stdout } = node(otherFolder(), resolve("scripts/launch.mjs"), "--eval", "console.log(process.cwd())");
  expect(stdout.trim()).toBe(resolve("."));
});

it("a server that is started in another folder says so, and reads and builds nothing there", () => {
  const { status, stdout, stderr } = node(otherFolder(), resolve("scripts/start.ts"));
  expect([status, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ level: "fatal", msg: expect.stringContaining("npm --prefix") });
});

it("an .env file that cannot be read is a fault of the environment, because accounts may be switched on in it", () => {
  const dir = otherFolder();
  // A circle, which also stops root.
  symlinkSync(".env", join(dir, ".env"));
  const module = JSON.stringify(pathToFileURL(resolve("scripts/environment.ts")));
  const program = `import { loadEnvironment } from ${module};
    try { loadEnvironment("production"); console.log("read"); } catch (error) { console.log(error.message); }`;
  const { stdout, stderr } = node(dir, "--input-type=module", "--eval", program);
  expect(stdout).toContain("The environment is not usable:\n  .env: ");
  expect(stdout).toContain("ELOOP");
  expect(stderr).toBe("");
});
