import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { log } from "#lib/log.ts";
import { reportReplacedBuild } from "#scripts/build/replaced-build.ts";

const INTERVAL_MS = 20;

/** Watches the id of a build, and records what is logged. Resolves once the file was looked at for the first time. */
async function watched() {
  const dir = mkdtempSync(join(tmpdir(), "platen-replaced-"));
  const file = join(dir, "BUILD_ID");
  writeFileSync(file, "one");
  const logged = vi.spyOn(log(), "error").mockReturnValue();
  const stop = reportReplacedBuild(file, INTERVAL_MS);
  onTestFinished(() => {
    stop();
    rmSync(dir, { recursive: true });
  });
  await sleep(5 * INTERVAL_MS);
  return { file, logged };
}

it("another build is logged when it begins, once", async () => {
  const { file, logged } = await watched();
  rmSync(file);
  await expect
    .poll(() => logged.mock.calls)
    .toEqual([[expect.stringMatching(/^Another build replaces .* Restart the server/)]]);
  writeFileSync(file, "two");
  await sleep(5 * INTERVAL_MS);
  expect(logged).toHaveBeenCalledOnce();
});

it("another build is logged when it has ended between two looks", async () => {
  const { file, logged } = await watched();
  writeFileSync(file, "another");
  await expect.poll(() => logged.mock.calls.length).toBe(1);
});

it("the same build with another date is none", async () => {
  const { file, logged } = await watched();
  utimesSync(file, 1, 1);
  await sleep(10 * INTERVAL_MS);
  expect(logged).not.toHaveBeenCalled();
});
