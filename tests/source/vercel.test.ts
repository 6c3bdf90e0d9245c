import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { VARIABLES } from "#lib/environment/variables.ts";
import { FUNCTION_LIMIT_BYTES } from "#scripts/build/traced-size.ts";
import config from "../../next.config.ts";
import { reachedFrom } from "./imports.ts";

const Settings = z.strictObject({
  framework: z.literal("nextjs"),
  functions: z.record(z.string(), z.strictObject({ maxDuration: z.int(), memory: z.int() })),
});

/** What a function may take at most, and how much of it has to stay free. */
const VERCEL_BYTES = 250_000_000;
const ROOM_BYTES = 40_000_000;

/** The most that a function may have on every plan. */
const MOST_MEMORY_MB = 2_048;

const RENDERER = "lib/render/render.ts";

/** The list of all operations, for the documentation. It imports the renderer, and uses only what operations declare. */
const DECLARATIONS = "lib/operations/all.ts";

const { functions } = Settings.parse(JSON.parse(readFileSync("vercel.json", "utf8")));
const [rendering, other] = Object.entries(functions).map(([pattern, settings]) => ({ ...settings, pattern }));
if (!rendering || !other) throw new Error("vercel.json has fewer than two entries.");

const ROUTES = globSync("app/**/route.ts");
const PAGES = globSync("app/**/page.tsx");

/** The path of a route, such as `/api/docs/[[...page]]`. */
function pathOf(file: string): string {
  return file.slice("app".length, -"/route.ts".length);
}

describe("vercel.json", () => {
  it("gives one function to the routes that render, and to no others", () => {
    const renders = ROUTES.filter((file) => reachedFrom(file, [DECLARATIONS]).has(RENDERER));
    expect(renders.length).toBeGreaterThan(5);
    expect(
      globSync(rendering.pattern)
        .filter((file) => ROUTES.includes(file))
        .toSorted(),
    ).toEqual(renders.toSorted());
    expect(globSync(rendering.pattern).filter((file) => PAGES.includes(file))).toEqual([]);
  });

  it("has settings for every route, and others for those that do not render, because Vercel merges equal ones", () => {
    expect(Object.keys(functions)).toHaveLength(2);
    expect(globSync(other.pattern)).toEqual(expect.arrayContaining([...ROUTES, ...PAGES]));
    expect([other.maxDuration, other.memory]).not.toEqual([rendering.maxDuration, rendering.memory]);
  });

  it("gives a render the memory and the time that a cold start needs", () => {
    // A server and two browsers take 1.3 GB.
    expect(rendering.memory).toBe(MOST_MEMORY_MB);
    // A cold start unpacks fonts and Chromium before the render's own time begins.
    const coldStartMs = Number(VARIABLES.get("SERVICE_RENDER_TIMEOUT_MS")) + 20_000;
    expect(rendering.maxDuration * 1_000).toBeGreaterThanOrEqual(coldStartMs);
  });
});

it("only routes of the function that renders are traced with Chromium", () => {
  const traced = Object.entries(config.outputFileTracingIncludes ?? {});
  const prefixes = traced.filter(([, files]) => files.some((file) => file.includes("chromium"))).map(([key]) => key);
  const having = ROUTES.filter((file) => prefixes.some((prefix) => pathOf(file).startsWith(prefix)));
  expect(having.toSorted()).toEqual(
    globSync(rendering.pattern)
      .filter((file) => ROUTES.includes(file))
      .toSorted(),
  );
});

it("the function that renders has all files of the process that decodes images, which no import leads to", () => {
  const traced = Object.values(config.outputFileTracingIncludes ?? {}).find((files) => files.includes("package.json"));
  const files = new Set(traced?.flatMap((pattern) => globSync(pattern)));
  expect([...reachedFrom("lib/images/decoder/program.ts")].filter((file) => !files.has(file))).toEqual([]);
});

it("a page renders nothing itself where its function has no Chromium", () => {
  const renders = PAGES.filter((file) => reachedFrom(file, [DECLARATIONS]).has(RENDERER));
  expect(renders).toEqual(["app/(studio)/status/page.tsx"]);
  for (const file of renders) expect(readFileSync(file, "utf8")).toContain("if (!rendersHere()) return");
});

it("a build for Vercel fails before a function has less than 40 MB of room", () => {
  expect(FUNCTION_LIMIT_BYTES).toBeLessThanOrEqual(VERCEL_BYTES - ROOM_BYTES);
});
