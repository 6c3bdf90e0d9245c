import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { openData } from "#lib/db/embedded/open-data.ts";

const DAY_MS = 24 * 3_600_000;
const TIMEOUT_MS = 100;

function expectNoFailure(error: unknown): never {
  throw error;
}

it("a timeout of the embedded database keeps nothing busy after the clock was ahead by 40 days and is set back", async () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-test-"));
  const { setTimeout } = globalThis;
  const database = await openData(dir, expectNoFailure);
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on("warning", note);
  onTestFinished(async () => {
    process.off("warning", note);
    vi.useRealTimers();
    await database.close();
    globalThis.setTimeout = setTimeout;
    rmSync(dir, { recursive: true, force: true });
  });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 40 * DAY_MS });
  await database.exec(`begin; set local transaction_timeout = ${TIMEOUT_MS}`);
  vi.useRealTimers();
  await sleep(3 * TIMEOUT_MS);
  // One without a delay is no reason for a warning either.
  await new Promise<void>((resolve) => globalThis.setTimeout(resolve));
  await database.exec("rollback");
  expect(warnings).toEqual([]);
});
