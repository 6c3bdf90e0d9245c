import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FUNCTION_LIMIT_BYTES, requireSmallFunctions, tracedFunctions } from "#scripts/build/traced-size.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "platen-traced-"));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A file of this size, which takes no room on the disk. */
function writeSized(path: string, bytes: number): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), "");
  truncateSync(join(dir, path), bytes);
}

function writeTrace(route: string, files: string[]): void {
  const path = join(dir, ".next/server/app", `${route}.nft.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ version: 1, files }));
}

it("sums the traced files of a route, each once, and ignores folders and missing files", () => {
  writeSized("lib/a", 10);
  writeSized("lib/b", 20);
  writeTrace("one/route.js", [
    "../../../../lib/a",
    "../../../../lib/a",
    "../../../../lib/b",
    "../../../../lib",
    "../gone",
  ]);
  writeTrace("page.js", ["../../../lib/a"]);
  expect(tracedFunctions(dir)).toEqual([
    { route: ".next/server/app/one/route.js.nft.json", bytes: 30 },
    { route: ".next/server/app/page.js.nft.json", bytes: 10 },
  ]);
});

it("refuses a function that is too large, and names it with its size", () => {
  writeSized("fonts", FUNCTION_LIMIT_BYTES);
  writeTrace("page.js", ["../../../fonts"]);
  expect(requireSmallFunctions(dir)).toMatchObject({ bytes: FUNCTION_LIMIT_BYTES });
  writeSized("more", 1);
  writeTrace("page.js", ["../../../fonts", "../../../more"]);
  expect(() => requireSmallFunctions(dir)).toThrow(/page\.js\.nft\.json traces 211 MB, want at most 210 MB/);
});
