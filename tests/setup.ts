import "#scripts/launch/quick-imports.mjs";
import { afterAll, afterEach, beforeEach, expect, inject, type MockInstance, vi } from "vitest";
import { processState } from "#lib/process-state.ts";
import { cleanUp } from "#tests/clean-up.ts";
import { FILE_VARIABLE, killLeftProcesses } from "#tests/left-processes.ts";
import { killGroups } from "#tests/process-group.ts";

// VITEST_POOL_ID counts the workers that run side by side, from 1. Each has a database of its own, whatever the environment names.
const worker = Number(process.env.VITEST_POOL_ID);
delete process.env.DATABASE_URL;
delete process.env.SERVICE_DATABASE_DIR;
Object.assign(process.env, inject("databases")[worker - 1] ?? { SERVICE_DATABASE_DIR: "/dev/null/no-database" });

// The file before may have shut it down, for good. Clean-up that `beforeAll` returns runs after every `afterAll`, so this is done here.
processState("rendering", () => undefined).reset();

const file = `${process.pid} ${expect.getState().testPath}`;
process.env[FILE_VARIABLE] = file;

// Real hashes, but cheap ones: at full cost each takes 46 MiB and 20 ms. Two at once on every machine, because some tests hold one
// while they need another. The test of passwords unmocks this to check the real cost.
vi.mock("#lib/access/access-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/access/access-limits.ts")>();
  return { ...limits, ARGON2: { ...limits.ARGON2, memoryCost: 64 }, hashesAtOnce: () => 2 };
});

// Tests fail when the service does the wrong thing, not when the machine is slow. The tests of these limits unmock this.
vi.mock("#lib/db/database-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/db/database-limits.ts")>();
  const long = { CONNECT_TIMEOUT_MS: 30_000, START_TIMEOUT_MS: 30_000 };
  return { ...limits, ...long, QUERY_TIMEOUT_MS: 30_000, EMBEDDED_QUERY_TIMEOUT_MS: 30_000 };
});

let consoleError: MockInstance<typeof console.error>;

beforeEach(() => {
  consoleError = vi.spyOn(console, "error");
});

afterEach(cleanUp);

afterEach(() => {
  const calls = consoleError.mock.calls;
  consoleError.mockRestore();
  expect(calls, "console.error was called").toEqual([]);
});

// Registered first, and so run last.
afterAll(async () => {
  // The next file may run in the same process.
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  killGroups();
  expect(await killLeftProcesses(FILE_VARIABLE, file), "processes outlived the tests that started them").toEqual([]);
});
