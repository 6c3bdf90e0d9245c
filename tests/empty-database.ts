import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";

/** What decides the content of a new database. */
const CREATORS = ["node_modules/@electric-sql/pglite/package.json", "lib/db/embedded/open-data.ts"];

function keptFolder(): string {
  const hash = createHash("sha256");
  for (const file of CREATORS) hash.update(readFileSync(file));
  return resolve("node_modules/.cache/platen-empty-database", hash.digest("hex").slice(0, 16));
}

/** Creates a database, and keeps it under its final name only when it is complete. */
async function createKept(kept: string): Promise<void> {
  mkdirSync(dirname(kept), { recursive: true });
  const dir = mkdtempSync(`${kept}-`);
  const server = await serveEmbedded({ dir, onProgress: () => undefined });
  await server.ready;
  await server.stop();
  try {
    renameSync(dir, kept);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    // Another run was faster.
    if (!existsSync(kept)) throw error;
  }
}

/**
 * Makes `dir` the folder of an embedded database without tables. It is a copy of one that is kept for later runs, which takes a
 * tenth of the time that creating it takes.
 * @returns `dir`
 */
export async function copyEmptyDatabase(dir: string): Promise<string> {
  const kept = keptFolder();
  if (!existsSync(kept)) await createKept(kept);
  cpSync(join(kept, "data"), join(dir, "data"), { recursive: true });
  return dir;
}
