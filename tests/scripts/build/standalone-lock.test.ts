import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { withBuildLock } from "#scripts/build/build-lock.ts";
import { buildStandalone } from "#scripts/build.ts";

it("standalone folders are written one after the other, and never while the tree is built", async () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-standalone-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  let running = 0;
  const most: number[] = [];
  const act = async () => {
    running++;
    most.push(running);
    await new Promise(setImmediate);
    running--;
  };
  const run = () => buildStandalone({ out: join(dir, "out"), build: act, write: act });
  const build = withBuildLock(act, () => {});
  await Promise.all([build, run(), run()]);
  expect(most).toEqual([1, 1, 1, 1, 1]);
});
