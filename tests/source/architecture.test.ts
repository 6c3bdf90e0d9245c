import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf } from "./imports.ts";

/** From the edge to the core: a folder may import from itself and from those after it. */
const LAYERS = [
  ["app", "instrumentation.ts"],
  ["lib/operations"],
  ["lib/links"],
  ["lib/http"],
  ["lib/status", "lib/proof", "lib/notices"],
  ["lib/access", "lib/render"],
  ["lib/templates", "lib/db"],
  ["lib/type"],
  ["lib/fonts", "lib/images"],
  ["lib/schemas"],
  [
    "lib/abortable.ts",
    "lib/file-faults.ts",
    "lib/life-cycle.ts",
    "lib/load-package.ts",
    "lib/log.ts",
    "lib/metrics.ts",
    "lib/sharp.ts",
    "lib/processes.ts",
  ],
  ["lib/config-report.ts"],
  ["lib/link-config.ts"],
  ["lib/errors.ts", "lib/config.ts"],
  ["lib/environment"],
  ["lib/tracing.ts"],
  [
    "lib/fair-clock.ts",
    "lib/free-room.ts",
    "lib/nearest-name.ts",
    "lib/image-hosts.ts",
    "lib/json-kinds.ts",
    "lib/log",
    "lib/printable.ts",
    "lib/private-folder.ts",
    "lib/process-state.ts",
    "lib/slices.ts",
    "lib/addresses",
  ],
];

const MAX_LINES = 400;

const MAX_FILES = 22;

const SOURCES = globSync(["app/**/*.{ts,tsx}", "lib/**/*.ts", "instrumentation.ts"]).map((file) =>
  file.replaceAll("\\", "/"),
);

const CODE = globSync("{app,lib,scripts,tests}/**/*.{ts,tsx,mjs}", {
  exclude: ["scripts/bench/peers/{node_modules,.next}/**", "tests/clients/{node_modules,generated}/**"],
});

function layerOf(file: string): { rank: number; name: string } {
  for (const [rank, names] of LAYERS.entries()) {
    const name = names.find((candidate) => file === candidate || file.startsWith(`${candidate}/`));
    if (name !== undefined) return { rank, name };
  }
  throw new Error(`${file} belongs to no layer.`);
}

describe("the architecture", () => {
  it("has npm scripts that run in any shell, also in cmd.exe, with the Node of the lockfile", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const commands = Object.values(scripts).flatMap((script) => script.split(" && "));
    expect(commands.filter((command) => !/^(?:exec )?node scripts\/launch\.mjs [\w@./=: -]+$/.test(command))).toEqual(
      [],
    );
  });

  it("has imports that go one way", () => {
    const wrong = SOURCES.flatMap((file) =>
      importsOf(file)
        .filter((path) => {
          const [from, to] = [layerOf(file), layerOf(path)];
          return from.name !== to.name && from.rank >= to.rank;
        })
        .map((path) => `${file} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it("reads the environment in one module", () => {
    const readers = SOURCES.filter((file) => readFileSync(file, "utf8").includes("process.env"));
    // Next's bundler replaces the one expression in instrumentation.ts, which therefore cannot be anywhere else.
    expect(readers.toSorted()).toEqual(["instrumentation.ts", "lib/config.ts"]);
    expect(readFileSync("instrumentation.ts", "utf8").match(/process\.env\.\w+/g)).toEqual([
      "process.env.NEXT_RUNTIME",
    ]);
  });

  it("uses globalThis for the state of the process, and for the timers that PGlite takes from there", () => {
    expect(SOURCES.filter((file) => readFileSync(file, "utf8").includes("globalThis")).toSorted()).toEqual([
      "lib/db/embedded/open-data.ts",
      "lib/process-state.ts",
    ]);
  });

  it("has no file that is too long to read", () => {
    const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").length - 1;
    expect(CODE.filter((file) => linesOf(file) > MAX_LINES)).toEqual([]);
  });

  it("has no folder with more files than one reader can survey", () => {
    const folders = Object.entries(Object.groupBy(CODE, (file) => dirname(file)));
    const crowded = folders.filter(([, files = []]) => files.length > MAX_FILES);
    expect(crowded.map(([folder, files = []]) => `${folder}: ${files.length} files`)).toEqual([]);
  });

  it("answers every method of every route through the one wrapper", () => {
    const exported = /^export (?:const )?\{ ([A-Z, ]+) \}/m;
    const routes = SOURCES.filter((file) => /^app\/.*\/route\.ts$/.test(file));
    expect(routes.length).toBeGreaterThan(10);
    for (const file of routes) {
      const source = readFileSync(file, "utf8");
      const names = exported.exec(source)?.[1]?.split(", ").toSorted();
      expect(names, file).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
      expect(source, file).toMatch(/= methods\(\w+|= nothingHere;/);
      expect(source, file).not.toMatch(/new Response|\bResponse\.json|NextResponse/);
    }
  });

  it("makes every page, and every title that asks for something, through the one wrapper", () => {
    const pages = SOURCES.filter((file) => /^app\/(?:.*\/)?page\.tsx$/.test(file));
    expect(pages.length).toBeGreaterThan(5);
    for (const file of pages) {
      const source = readFileSync(file, "utf8");
      expect(source, file).toMatch(/^export default page\(/m);
      expect(source, file).not.toMatch(/^export (?:default )?(?:async )?function/m);
      if (source.includes("generateMetadata"))
        expect(source, file).toMatch(/^export const generateMetadata = pageMetadata\(/m);
    }
  });

  it("has no shared module of tests that registers hooks when it is loaded, which only happens once in a process", () => {
    const shared = CODE.filter((file) => /^tests\/(?!setup\.ts$)(?!.*\.(?:test|spec)\.ts$)/.test(file));
    expect(shared.length).toBeGreaterThan(20);
    expect(shared.filter((file) => /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(file, "utf8")))).toEqual([]);
  });

  it("has no script that needs a shell, because Windows has another one", () => {
    const scripts = CODE.filter((file) => file.startsWith("scripts/"));
    expect(scripts.length).toBeGreaterThan(20);
    const shell = /"(?:\/bin\/)?(?:ba)?sh"|shell: true/;
    expect(scripts.filter((file) => shell.test(readFileSync(file, "utf8")))).toEqual([]);
  });

  it("prints nothing from the service but through the log", () => {
    expect(SOURCES.filter((file) => /\bconsole\./.test(readFileSync(file, "utf8")))).toEqual([]);
  });
});
