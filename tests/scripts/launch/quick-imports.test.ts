import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

const HOOK = JSON.stringify(pathToFileURL(resolve("scripts/launch/quick-imports.mjs")).href);

/** Hooks of the same kind run in the reverse order, so that this one sees what the other passes on. */
const PROGRAM = (hook: string) => `
  import { registerHooks } from "node:module";
  let looked = 0;
  registerHooks({ resolve: (specifier, context, next) => {
    if (specifier[0] === "." && context.parentURL?.includes("/drizzle-orm/")) looked += 1;
    return next(specifier, context);
  } });
  ${hook && `await import(${hook});`}
  const names = [];
  for (const name of ["drizzle-orm", "drizzle-orm/pg-core", "drizzle-orm/postgres-js"]) names.push(Object.keys(await import(name)));
  const missing = await import(import.meta.resolve("drizzle-orm").replace("index.js", "nothing.js")).catch(({ code }) => code);
  console.log(JSON.stringify({ looked, names, missing }));
`;

async function load(hook: string): Promise<{ looked: number; names: string[][]; missing: string }> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", PROGRAM(hook)]);
  return JSON.parse(stdout);
}

it("imports of the database library are the same, and none of them is looked up", async () => {
  const [usual, quick] = await Promise.all([load(""), load(HOOK)]);
  expect(usual.looked).toBeGreaterThan(100);
  expect(quick).toEqual({ ...usual, looked: 0 });
  expect(quick.missing).toBe("ERR_MODULE_NOT_FOUND");
});

it("scripts of npm load it first", async () => {
  const { stdout } = await run(process.execPath, ["scripts/launch.mjs", "--print", "process.execArgv.join(' ')"]);
  expect(stdout).toContain("/scripts/launch/quick-imports.mjs");
});
