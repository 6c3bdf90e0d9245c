import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let dir: string;

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), "platen-code-")), "data");
});
afterEach(() => rmSync(join(dir, ".."), { recursive: true, force: true }));

/** Runs in a process of its own, as a start does. @returns whether compiled code is kept */
function start(stamp: string): boolean {
  const program = [
    'const { keepCompiledCode } = await import("#scripts/start/compiled-code.ts");',
    `console.log(await keepCompiledCode(${JSON.stringify(dir)}, ${JSON.stringify(stamp)}));`,
    'await import("zod");',
  ];
  // The variable would win over what the service chooses.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const answer = execFileSync("sh", ["-c", 'umask 0; exec "$0" "$@"', process.execPath, "-e", program.join("\n")], {
    encoding: "utf8",
    env,
  });
  return answer === "true\n";
}

const modeOf = (path: string) => statSync(path).mode & 0o777;
const kept = () => join(dir, "compiled-code");

it("compiled code is kept for these sources only, in a folder that no other user may read or write", () => {
  expect(start("one")).toBe(true);
  expect([dir, kept(), join(kept(), "one")].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  expect(readdirSync(join(kept(), "one"), { recursive: true }).length).toBeGreaterThan(10);
  expect(start("two")).toBe(true);
  expect(readdirSync(kept())).toEqual(["two"]);
});

it("compiled code is neither read nor written in a folder that other users may write to, or behind a link", () => {
  mkdirSync(kept(), { recursive: true });
  chmodSync(kept(), 0o770);
  expect(start("one")).toBe(false);
  expect(readdirSync(kept())).toEqual([]);
  rmSync(kept(), { recursive: true });
  mkdirSync(join(dir, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(dir, "elsewhere"), kept());
  expect(start("one")).toBe(false);
  expect(readdirSync(join(dir, "elsewhere"))).toEqual([]);
});

it("a start goes on without compiled code where nothing can be written", () => {
  mkdirSync(join(dir, ".."), { recursive: true });
  symlinkSync("/proc/self/nothing", dir);
  expect(start("one")).toBe(false);
  expect(existsSync(kept())).toBe(false);
});
