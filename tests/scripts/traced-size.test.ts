import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  FUNCTION_LIMIT_BYTES,
  requireOneRenderer,
  requireSmallFunctions,
  sizedFunctions,
} from "#scripts/build/traced-size.ts";
import { vercelFunctions } from "#scripts/build/vercel-functions.ts";

const CHROMIUM = "node_modules/@sparticuz/chromium/bin/chromium.br";
const FONTS = ".platen/fonts/1.tar.zst";

let dir: string;

/** A file of this size, which takes no room on the disk. */
function writeSized(path: string, bytes = 0): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), "");
  truncateSync(join(dir, path), bytes);
}

/** Writes the trace of a built file. `files` are relative to the root. */
function writeTrace(built: string, files: string[]): void {
  const path = `${built}.nft.json`;
  writeSized(path);
  const names = files.map((file) => relative(dirname(path), file));
  writeFileSync(join(dir, path), JSON.stringify({ version: 1, files: names }));
}

/** Writes a route or page without content: its source, what Next makes of it, and its trace. */
function writeRoute(source: string, files: string[]): void {
  writeSized(source);
  const built = `.next/server/${source.replace(/\.tsx?$/, ".js")}`;
  writeSized(built);
  writeTrace(built, files);
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "platen-traced-"));
  writeFileSync(join(dir, "vercel.json"), JSON.stringify({ functions: { "app/draw/**": {}, "app/**/*": {} } }));
  writeSized(".next/server/instrumentation.js");
  writeTrace(".next/server/instrumentation.js", ["instrumentation"]);
  writeSized(".next/manifest.json", 5);
  writeFileSync(join(dir, ".next/required-server-files.json"), JSON.stringify({ files: [".next/manifest.json"] }));
  writeSized("instrumentation", 1_000);
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("puts routes and pages with the same settings into one function, with what each has", () => {
  writeRoute("app/draw/route.ts", ["lib/chromium"]);
  writeRoute("app/api/one/route.ts", ["lib/one"]);
  writeRoute("app/api/[...two]/route.ts", ["lib/two"]);
  writeRoute("app/(studio)/page.tsx", ["lib/page"]);
  // Next makes this page of `app/not-found.tsx`.
  writeTrace(".next/server/app/_not-found/page.js", ["lib/gone"]);
  const shared = [".next/manifest.json", ".next/server/instrumentation.js", "instrumentation"];
  const functions = vercelFunctions(dir).map(({ name, files }) => [name, files]);
  expect(Object.fromEntries(functions)).toEqual({
    "app/draw/**": new Set([...shared, ".next/server/app/draw/route.js", "lib/chromium"]),
    "app/**/*": new Set([
      ...shared,
      ".next/server/app/(studio)/page.js",
      ".next/server/app/_not-found/page.js",
      ".next/server/app/api/[...two]/route.js",
      ".next/server/app/api/one/route.js",
      "lib/gone",
      "lib/one",
      "lib/page",
      "lib/two",
    ]),
  });
});

it("sums the files of a function, each once, and ignores folders and missing files", () => {
  writeSized("lib/a", 10);
  writeSized("lib/b", 20);
  writeRoute("app/one/route.ts", ["lib/a", "lib/a", "lib", "gone"]);
  writeRoute("app/two/page.tsx", ["lib/a", "lib/b"]);
  writeRoute("app/draw/route.ts", ["lib/a"]);
  expect(sizedFunctions(dir).map(({ name, bytes }) => [name, bytes])).toEqual([
    ["app/**/*", 1_035],
    ["app/draw/**", 1_015],
  ]);
});

it("refuses a function that is too large, and names it with its size and its largest parts", () => {
  const rest = FUNCTION_LIMIT_BYTES - 1_005;
  writeSized("node_modules/@large/package/index.js", rest - 40_000_000);
  writeSized(".platen/fonts/one", 40_000_000);
  writeRoute("app/page.tsx", ["node_modules/@large/package/index.js", ".platen/fonts/one"]);
  expect(requireSmallFunctions(dir)).toMatchObject([{ bytes: FUNCTION_LIMIT_BYTES }]);
  writeSized("more", 1);
  writeRoute("app/other/page.tsx", ["more"]);
  expect(() => requireSmallFunctions(dir)).toThrow(
    /The function of app\/\*\*\/\* has 211 MB, want at most 210 MB\. Its largest parts: node_modules\/@large\/package 170 MB, \.platen\/fonts 40 MB, /,
  );
});

it("wants Chromium and the fonts in one function", () => {
  writeRoute("app/draw/route.ts", [CHROMIUM, FONTS]);
  writeRoute("app/page.tsx", []);
  expect(requireOneRenderer(vercelFunctions(dir)).name).toBe("app/draw/**");
  writeRoute("app/page.tsx", [CHROMIUM]);
  expect(() => requireOneRenderer(vercelFunctions(dir))).toThrow(
    "Chromium is in app/draw/** and app/**/*, the fonts are in app/draw/**, want both in one function.",
  );
  writeRoute("app/page.tsx", []);
  writeRoute("app/draw/route.ts", [CHROMIUM]);
  expect(() => requireOneRenderer(vercelFunctions(dir))).toThrow("the fonts are in no function");
});
