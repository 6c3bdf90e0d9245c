import { afterEach, beforeEach, expect, inject, type MockInstance, vi } from "vitest";

// The place of this worker among those that run side by side, from 1: each has a database of its own, whatever the environment said.
const place = Number(process.env.VITEST_POOL_ID);
delete process.env.DATABASE_URL;
delete process.env.SERVICE_DATABASE_DIR;
Object.assign(process.env, inject("databases")[place - 1]);

let consoleError: MockInstance<typeof console.error>;

beforeEach(() => {
  consoleError = vi.spyOn(console, "error");
});

afterEach(() => {
  const calls = consoleError.mock.calls;
  consoleError.mockRestore();
  expect(calls, "console.error was called").toEqual([]);
});
