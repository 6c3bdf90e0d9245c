import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

/** Reads the `.env` files of a folder, and prints the variables that begin with `SERVICE_`, or the reason why it does not. */
function readEnvironment(dir: string, env: Record<string, string> = {}) {
  const module = JSON.stringify(pathToFileURL(resolve("scripts/environment.ts")));
  const program = `import { loadEnvironment } from ${module};
    const own = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("SERVICE_")));
    try { loadEnvironment("production"); console.log(JSON.stringify(own())); } catch (error) { console.log(error.message); }`;
  const args = ["--input-type=module", "--eval", program];
  return spawnSync(process.execPath, args, {
    cwd: dir,
    encoding: "utf8",
    env: { NODE_ENV: "test", HOME: "/home/ada", ...env },
  });
}

it("an .env file that cannot be read is a fault of the environment, because accounts may be switched on in it", () => {
  const dir = otherFolder();
  // A circle, which also stops root.
  symlinkSync(".env", join(dir, ".env"));
  const { stdout, stderr } = readEnvironment(dir);
  expect(stdout).toContain("The environment is not usable:\n  .env: ");
  expect(stdout).toContain("ELOOP");
  expect(stderr).toBe("");
});

it("a dollar sign in an .env file, which Next would leave out with what follows, is told without the value", () => {
  const dir = otherFolder();
  const lines = [
    "SERVICE_ADMIN_PASSWORD='correct$horse battery'",
    "DATABASE_URL=postgres://u:p$$Zq9@h/d",
    "SERVICE_DATA_DIR=${HOME}/cards",
    "SERVICE_HOSTS=${NAME:-cards.example.com}",
    "SERVICE_LINK_KEYS=web:a\\$secret",
    "OTHER_PROGRAM=x$unknown",
  ];
  writeFileSync(join(dir, ".env"), lines.join("\n"));
  const { stdout } = readEnvironment(dir);
  expect(stdout.match(/^ {2}\w+: got a dollar sign/gm)).toEqual([
    "  DATABASE_URL: got a dollar sign",
    "  SERVICE_ADMIN_PASSWORD: got a dollar sign",
  ]);
  expect(stdout).not.toMatch(/horse|Zq9/);
});

it("a dollar sign in a value that another .env file replaces does no harm", () => {
  const dir = otherFolder();
  writeFileSync(join(dir, ".env"), "SERVICE_ADMIN_PASSWORD=correct$horse battery\n");
  writeFileSync(join(dir, ".env.local"), "SERVICE_ADMIN_PASSWORD=staple battery horse\n");
  const { stdout } = readEnvironment(dir);
  expect(JSON.parse(stdout)).toEqual({ SERVICE_ADMIN_PASSWORD: "staple battery horse" });
});

it("the environment takes precedence over .env files, with its dollar signs", () => {
  const dir = otherFolder();
  writeFileSync(join(dir, ".env"), "SERVICE_ADMIN_PASSWORD=set$elsewhere\nSERVICE_DATA_DIR=${HOME}/cards\n");
  const { stdout } = readEnvironment(dir, { SERVICE_ADMIN_PASSWORD: "correct$horse battery" });
  expect(JSON.parse(stdout)).toEqual({
    SERVICE_ADMIN_PASSWORD: "correct$horse battery",
    SERVICE_DATA_DIR: "/home/ada/cards",
  });
});
