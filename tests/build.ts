import type { TestProject } from "vitest/node";
import { renderConfig } from "#lib/config.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { buildOnce } from "#scripts/build.ts";
import { sourceStamp } from "#scripts/build-stamp.ts";
import { createOwnDatabases, type OwnDatabase } from "#tests/database-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The variables that lead each worker to the database that is its alone, by its place among the workers. */
    databases: OwnDatabase["env"][];
  }
}

/** What every test stands on, made once: the built tree, the browser, and a database for each worker. @returns how to take it down */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildOnce(sourceStamp());
  await prepareChromium({ dataDir: renderConfig().dataDir, onProgress: (message) => console.log(message) });
  const { envs, removeAll } = await createOwnDatabases(project.config.maxWorkers);
  project.provide("databases", envs);
  return removeAll;
}
