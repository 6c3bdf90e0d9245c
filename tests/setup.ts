import { afterEach, beforeEach, expect, inject, type MockInstance, vi } from "vitest";

// The place of this worker among those that run side by side, from 1: each has a database of its own, whatever the environment said.
const place = Number(process.env.VITEST_POOL_ID);
delete process.env.DATABASE_URL;
delete process.env.SERVICE_DATABASE_DIR;
Object.assign(process.env, inject("databases")[place - 1]);

// Real hashes, of what a test can afford by the thousand: each takes 46 MiB and 20 ms otherwise. What the service's own cost is
// held by the test of passwords, which unmocks this.
vi.mock("#lib/access/access-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/access/access-limits.ts")>();
  return { ...limits, ARGON2: { ...limits.ARGON2, memoryCost: 64 } };
});

// Tests fail when the service does the wrong thing, not when the machine is slow. The tests of these limits unmock this.
vi.mock("#lib/db/database-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/db/database-limits.ts")>();
  return { ...limits, QUERY_TIMEOUT_MS: 30_000, CONNECT_TIMEOUT_MS: 30_000 };
});

let consoleError: MockInstance<typeof console.error>;

beforeEach(() => {
  consoleError = vi.spyOn(console, "error");
});

afterEach(() => {
  const calls = consoleError.mock.calls;
  consoleError.mockRestore();
  expect(calls, "console.error was called").toEqual([]);
});
