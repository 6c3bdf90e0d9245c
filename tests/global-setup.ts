import { existsSync, globSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { renderConfig } from "#lib/config.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { buildRegistry, REGISTRY_FILE } from "#lib/templates/build-registry.ts";
import { sourceStamp } from "#scripts/build/build-stamp.ts";
import { buildOnce } from "#scripts/build.ts";
import { createOwnDatabases, DATABASE_VARIABLE, type OwnDatabase } from "#tests/database-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The environment variables of each worker's own database, by the worker's VITEST_POOL_ID. */
    databases: OwnDatabase["env"][];
  }
}

/** Tests that start the service. All others run on the sources. */
const NEEDS_BUILD =
  /^tests\/(?:clients|e2e|postgres|disk|hostile|vercel)\/|^tests\/image\/standalone\.test\.ts$|^tests\/scripts\/render\.test\.ts$/;

/** Tests of parts that have no database. They get none, which halves the time until one of them starts. */
const NEEDS_NO_DATABASE = /^tests\/(?:fonts|golden|image|images|mutants|render|source|templates|type|vercel)\//;

/** Node keeps compiled code here, which saves a quarter of the processor time of each process that a test starts. */
const COMPILE_CACHE_DIR = resolve("node_modules/.cache/node-compile-cache");

/** What the registry is compiled from. */
const REGISTRY_SOURCES = ["templates/**", "lib/templates/**", "lib/fonts/**", "lib/type/**", "package-lock.json"];

function isRegistryCurrent(): boolean {
  if (!existsSync(REGISTRY_FILE)) return false;
  const compiledAt = statSync(REGISTRY_FILE).mtimeMs;
  return globSync(REGISTRY_SOURCES).every((path) => statSync(path).mtimeMs <= compiledAt);
}

/**
 * Makes what the files of this run need: a build for those that start the service, else fonts and templates; the browser; and a
 * database for each worker, if any file needs one.
 * @returns removes the databases
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE_DIR;
  const files = project.vitest.state.getPaths().map((path) => relative(project.config.root, path));
  buildFonts();
  if (files.some((file) => NEEDS_BUILD.test(file))) await buildOnce(sourceStamp());
  else if (!isRegistryCurrent()) await buildRegistry();
  await prepareChromium({ dataDir: renderConfig().dataDir, onProgress: (message) => console.log(message) });
  const isDatabaseNeeded =
    process.env[DATABASE_VARIABLE] !== undefined || files.some((file) => !NEEDS_NO_DATABASE.test(file));
  const workers = Math.min(project.config.maxWorkers, files.length);
  const { envs, removeAll } = await createOwnDatabases(isDatabaseNeeded ? workers : 0);
  project.provide("databases", envs);
  return removeAll;
}
