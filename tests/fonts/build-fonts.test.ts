import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownerTag } from "#lib/processes.ts";
import { copyFonts } from "./copy-fonts.ts";

const BUILDS_TIMEOUT_MS = 120_000;

let dir: string;
let fonts: string;
let version: string;

/** Builds the fonts of a folder as `npm run fonts` does. */
function buildFonts(): void {
  execFileSync(process.execPath, [resolve("scripts/fonts.ts")], { cwd: dir, stdio: "pipe" });
}

/** Every file of the fonts, with its size. */
function sizes(): Record<string, number> {
  const names = readdirSync(join(dir, ".platen"), { recursive: true, encoding: "utf8" });
  const files = names.map((name) => ({ name, facts: statSync(join(dir, ".platen", name)) }));
  return Object.fromEntries(files.flatMap(({ name, facts }) => (facts.isFile() ? [[name, facts.size]] : [])));
}

beforeAll(() => {
  mkdirSync(resolve(".data"), { recursive: true });
  dir = mkdtempSync(resolve(".data", "fonts-"));
  symlinkSync(resolve("node_modules"), join(dir, "node_modules"));
  copyFonts(dir);
  fonts = join(dir, ".platen", "fonts");
  version = JSON.parse(readFileSync(join(dir, ".platen", "fonts.json"), "utf8")).version;
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Whether the fonts of the folder count as built. */
function areBuilt(): boolean {
  const program = resolve("tests/fonts/programs/are-fonts-built.ts");
  return execFileSync(process.execPath, [program], { cwd: dir, encoding: "utf8" }).trim() === "true";
}

const parts = () => [
  join(dir, ".platen", "fonts.json"),
  join(fonts, `${version}.json`),
  join(fonts, `${version}.families.json`),
  join(fonts, version, "Inter_400Regular.ttf"),
];

it.each([
  ["a power failure has emptied a file", 0],
  ["a copy was cut short", 0.5],
])("fonts of which %s do not count as built", (_, part) => {
  expect(areBuilt()).toBe(true);
  for (const path of parts()) {
    const content = readFileSync(path);
    writeFileSync(path, content.subarray(0, content.length * part));
    expect([path, areBuilt()]).toEqual([path, false]);
    writeFileSync(path, content);
  }
});

it(
  "fonts are built again over what power failures and killed builds have left, which is removed",
  () => {
    const whole = sizes();
    for (const path of parts()) writeFileSync(path, "");
    const dead = `${ownerTag().split("-")[0]}-${process.pid}-1`;
    mkdirSync(join(fonts, `${version}.${dead}`));
    const alive = `${version}.${ownerTag()}`;
    mkdirSync(join(fonts, alive));
    buildFonts();
    rmSync(join(fonts, alive), { recursive: true });
    expect(sizes()).toEqual(whole);
    expect(areBuilt()).toBe(true);
  },
  BUILDS_TIMEOUT_MS,
);
