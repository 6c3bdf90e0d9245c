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

/** In a process of its own, as a start is. @returns whether compiled code is kept */
function start(stamp: string): boolean {
  const program = [
    'const { keepCompiledCode } = await import("#scripts/compiled-code.ts");',
    `console.log(await keepCompiledCode(${JSON.stringify(dir)}, ${JSON.stringify(stamp)}));`,
    'await import("zod");',
  ];
  const answer = execFileSync("sh", ["-c", 'umask 0; exec "$0" "$@"', process.execPath, "-e", program.join("\n")], {
    encoding: "utf8",
  });
  return answer === "true\n";
}

const modeOf = (path: string) => statSync(path).mode & 0o777;
const kept = () => join(dir, "compiled-code");

it("is kept where nobody else may read or write, and only what is of these sources", () => {
  expect(start("one")).toBe(true);
  expect([dir, kept(), join(kept(), "one")].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  expect(readdirSync(join(kept(), "one"), { recursive: true }).length).toBeGreaterThan(10);
  expect(start("two")).toBe(true);
  expect(readdirSync(kept())).toEqual(["two"]);
});

it("is neither read nor written in a folder that others may touch, or that is another's by a link", () => {
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

it("is not kept where nothing can be written, which is no reason not to start", () => {
  mkdirSync(join(dir, ".."), { recursive: true });
  symlinkSync("/proc/self/nothing", dir);
  expect(start("one")).toBe(false);
  expect(existsSync(kept())).toBe(false);
});
