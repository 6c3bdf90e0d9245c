import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const MODULE = JSON.stringify(resolve("scripts/build/build-stamp.ts"));

/** A tree with a build of Next and, unless undefined, a stamp. */
function treeWith(stamp?: string) {
  const dir = mkdtempSync(join(tmpdir(), "platen-stamp-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of [".platen", ".next"]) mkdirSync(join(dir, name));
  writeFileSync(join(dir, ".next", "BUILD_ID"), "id");
  const file = join(dir, ".platen", "build.stamp");
  if (stamp !== undefined) writeFileSync(file, stamp);
  return { dir, stamp: () => readFileSync(file, "utf8") };
}

/** Evaluates an expression with the functions of the module in a tree. */
function evaluate(dir: string, expression: string): unknown {
  const script = `import * as stamps from ${MODULE}; console.log(JSON.stringify(${expression}));`;
  const args = ["--input-type=module", "-e", script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: dir, encoding: "utf8" }));
}

const HASH = "0f".repeat(32);

it.each([
  ["begun", true],
  // After a power failure.
  ["", true],
  ["\0\0\0\0\0", true],
  [`${HASH} id`, false],
  [`${HASH} another`, false],
  [undefined, false],
])("a tree with the stamp %j counts as cut: %j", (stamp, isCut) => {
  expect(evaluate(treeWith(stamp).dir, "stamps.isCut()")).toBe(isCut);
});

it("a tree counts as built with the stamp of its sources and of its build of Next", () => {
  const { dir, stamp } = treeWith("begun");
  const isBuilt = `[stamps.isBuilt("${HASH}"), stamps.writeStamp("${HASH}"), stamps.isBuilt("${HASH}"), stamps.isCut()]`;
  expect(evaluate(dir, isBuilt)).toEqual([false, null, true, false]);
  expect(stamp()).toBe(`${HASH} id`);
});
