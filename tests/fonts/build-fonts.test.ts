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
  return Object.fromEntries(names.map((name) => [name, statSync(join(dir, ".platen", name)).size]));
}

beforeAll(() => {
  mkdirSync(resolve(".data"), { recursive: true });
  dir = mkdtempSync(resolve(".data", "fonts-"));
  symlinkSync(resolve("node_modules"), join(dir, "node_modules"));
  buildFonts();
  fonts = join(dir, ".platen", "fonts");
  version = JSON.parse(readFileSync(join(dir, ".platen", "fonts.json"), "utf8")).version;
}, BUILDS_TIMEOUT_MS);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  ["the manifest", () => join(dir, ".platen", "fonts.json")],
  ["the list of characters", () => join(fonts, `${version}.json`)],
  ["the facts about the families", () => join(fonts, `${version}.families.json`)],
  ["a font", () => join(fonts, version, "Inter_400Regular.ttf")],
])(
  "fonts are built again where a power failure has emptied %s",
  (_, path) => {
    const whole = sizes();
    writeFileSync(path(), "");
    buildFonts();
    expect(sizes()).toEqual(whole);
  },
  BUILDS_TIMEOUT_MS,
);

it(
  "what a killed build has left is removed",
  () => {
    const whole = sizes();
    const dead = `${ownerTag().split("-")[0]}-${process.pid}-1`;
    mkdirSync(join(fonts, `${version}.${dead}`));
    const alive = `${version}.${ownerTag()}`;
    mkdirSync(join(fonts, alive));
    rmSync(join(fonts, `${version}.json`));
    buildFonts();
    rmSync(join(fonts, alive), { recursive: true });
    expect(sizes()).toEqual(whole);
  },
  BUILDS_TIMEOUT_MS,
);
