import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

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
  const script = `import * as stamps from ${MODULE}; console.log(JSON.stringify(${expression}) ?? null);`;
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

describe("the files of a build", () => {
  const isWhole = `[stamps.isBuilt("${HASH}"), stamps.isCut()]`;

  /** A built tree with some files, of which the last ones are read by no start. */
  function builtTree() {
    const { dir } = treeWith();
    const at = (path: string) => join(dir, path);
    const write = (path: string, content: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    };
    write(".next/server/a page.js", "text");
    write(".platen/fonts/0f/a.ttf", "text");
    for (const path of [".next/cache/x", ".next/trace", ".next/server/a.js.map", ".platen/fonts/0f.12-34-5/a.ttf"])
      write(path, "text");
    evaluate(dir, `stamps.writeStamp("${HASH}")`);
    return { dir, at, write };
  }

  it.each([".next/server/a page.js", ".platen/fonts/0f/a.ttf"])("are whole unless %j is missing or cut", (path) => {
    const { dir, at, write } = builtTree();
    expect(evaluate(dir, isWhole)).toEqual([true, false]);
    write(path, "te");
    expect(evaluate(dir, isWhole)).toEqual([false, true]);
    rmSync(at(path));
    expect(evaluate(dir, isWhole)).toEqual([false, true]);
    evaluate(dir, `stamps.writeStamp("${HASH}")`);
    expect(evaluate(dir, isWhole)).toEqual([true, false]);
  });

  it("are whole without those that no start reads", () => {
    const { dir, at } = builtTree();
    for (const path of [".next/cache", ".next/trace", ".next/server/a.js.map", ".platen/fonts/0f.12-34-5"])
      rmSync(at(path), { recursive: true });
    expect(evaluate(dir, isWhole)).toEqual([true, false]);
  });

  it("are listed, or the tree does not count as built", () => {
    const { dir, at } = builtTree();
    rmSync(at(".platen/build.files"));
    expect(evaluate(dir, isWhole)).toEqual([false, false]);
  });
});
