import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
  /** Other commands, the next build and other processes write these. */
  const UNREAD = [".next/cache/x", ".next/trace", ".next/server/a.js.map", ".platen/proof/a.json"].concat(
    ".platen/fonts/0f.12-34-5/a.ttf",
  );

  /** A built tree with files that a start reads, and some that none does. */
  function builtTree() {
    const { dir } = treeWith();
    const at = (path: string) => join(dir, path);
    const write = (path: string, content: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    };
    for (const path of [".next/server/a page.js", ".platen/fonts/0f/a.ttf", ...UNREAD]) write(path, "text");
    write(".platen/templates.json", '"#ff0000"');
    evaluate(dir, `stamps.writeStamp("${HASH}")`);
    return { dir, at, write };
  }

  it.each([
    // What Next has written is no base for the next build, if it is damaged.
    { path: ".next/server/a page.js", isCut: true },
    { path: ".platen/fonts/0f/a.ttf", isCut: false },
  ])("are whole unless $path is missing or cut", ({ path, isCut }) => {
    const { dir, at, write } = builtTree();
    expect(evaluate(dir, isWhole)).toEqual([true, false]);
    write(path, "te");
    expect(evaluate(dir, isWhole)).toEqual([false, isCut]);
    rmSync(at(path));
    expect(evaluate(dir, isWhole)).toEqual([false, isCut]);
    evaluate(dir, `stamps.writeStamp("${HASH}")`);
    expect(evaluate(dir, isWhole)).toEqual([true, false]);
  });

  it("are damaged where compiled templates are those of other sources, even of the same length", () => {
    const { dir, write } = builtTree();
    write(".platen/templates.json", '"#0000ff"');
    expect(evaluate(dir, isWhole)).toEqual([false, false]);
    write(".platen/templates.json", '"#ff0000"');
    expect(evaluate(dir, isWhole)).toEqual([true, false]);
  });

  it("are whole with the packages that their links lead to, or copies of these, and not without", () => {
    const { dir, at, write } = builtTree();
    write("node_modules/a/server.json", "text");
    mkdirSync(at(".next/node_modules/@b"), { recursive: true });
    const links = [at(".next/node_modules/a-0f"), at(".next/node_modules/@b/a-0f")];
    for (const link of links) symlinkSync(at("node_modules/a"), link);
    evaluate(dir, `stamps.writeStamp("${HASH}")`);
    write("node_modules/a/server.json", "other text");
    expect(evaluate(dir, isWhole)).toEqual([true, false]);
    for (const link of links) {
      rmSync(link);
      expect(evaluate(dir, isWhole)).toEqual([false, true]);
      cpSync(at("node_modules/a"), link, { recursive: true });
      expect(evaluate(dir, isWhole)).toEqual([true, false]);
    }
  });

  it("are whole without those that no start reads, and as links", () => {
    const { dir, at } = builtTree();
    for (const path of UNREAD) rmSync(at(path));
    renameSync(at(".next/server"), at("moved"));
    mkdirSync(at(".next/server"));
    symlinkSync(at("moved/a page.js"), at(".next/server/a page.js"));
    expect(evaluate(dir, isWhole)).toEqual([true, false]);
  });

  it("have a list that is whole, or the tree does not count as built", () => {
    const { dir, at, write } = builtTree();
    const list = readFileSync(at(".platen/build.files"), "utf8");
    for (let length = list.length - 1; length >= 0; length -= 10) {
      write(".platen/build.files", list.slice(0, length));
      expect(evaluate(dir, isWhole)).toEqual([false, false]);
    }
    rmSync(at(".platen/build.files"));
    expect(evaluate(dir, isWhole)).toEqual([false, false]);
  });
});

it.each([
  [".platen/standalone.stamp", true],
  // As in a copy of a standalone folder that was cut short.
  [undefined, true],
  ["next.config.ts", false],
])("a tree with %s counts as a standalone folder: %s", (file, isStandalone) => {
  const { dir } = treeWith();
  if (file !== undefined) writeFileSync(join(dir, file), "");
  expect(evaluate(dir, "stamps.isStandalone()")).toBe(isStandalone);
});
