import fs, { mkdtempSync, rmSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";
import { makePrivateFolder } from "#lib/private-folder.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "platen-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A disk that stands still, as for a snapshot, holds a synchronous write, and with it the thread. @returns the writes of this thread */
function noteWrites(): string[] {
  const names = ["mkdirSync", "utimesSync"] as const;
  const writes: string[] = [];
  const originals = names.map((name) => [name, fs[name]] as const);
  onTestFinished(() => {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  });
  for (const [name, original] of originals)
    Object.assign(fs, {
      [name]: (...args: never[]) => {
        writes.push(name);
        return (original as (...args: never[]) => unknown)(...args);
      },
    });
  syncBuiltinESMExports();
  return writes;
}

test("a disk that stands still does not hold the thread of requests at the heartbeats of the database", async () => {
  const dir = newFolder();
  const server = await serveEmbedded({ dir: await copyEmptyDatabase(dir), onProgress: () => undefined });
  onTestFinished(() => server.stop());
  await server.ready;
  const claim = join(dir, fs.readdirSync(dir).find((name) => /^server\..+\.json$/.test(name)) ?? "");
  const writes = noteWrites();
  for (let beat = 0; beat < 2; beat++) {
    const { mtimeMs } = statSync(claim);
    await expect.poll(() => statSync(claim).mtimeMs, { timeout: 10_000 }).toBeGreaterThan(mtimeMs);
  }
  expect(writes).toEqual([]);
});

test("a disk that stands still does not hold the thread of requests where a folder is made that may be there", async () => {
  const dir = join(newFolder(), "kept", "pictures");
  const writes = noteWrites();
  await makePrivateFolder(dir);
  await makePrivateFolder(dir);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(writes).toEqual([]);
});
