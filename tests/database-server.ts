import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";

/** A database that only this run of the tests knows, on the PostgreSQL that `DATABASE_URL` names. @returns how to remove it */
async function createDatabase(url: string): Promise<() => Promise<void>> {
  const name = `platen_test_${randomBytes(6).toString("hex")}`;
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  process.env.DATABASE_URL = own.href;
  return async () => {
    process.env.DATABASE_URL = url;
    await client.unsafe(`drop database ${name} with (force)`);
    await client.end();
  };
}

async function startEmbedded(): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), "platen-test-"));
  process.env.SERVICE_DATABASE_DIR = dir;
  const server = await serveEmbedded({ dir, onProgress: () => undefined });
  await server.ready;
  return async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}

/** The database of a run of the tests: nobody's own, whatever the environment says. @returns how to remove it */
export async function provideDatabase(): Promise<() => Promise<void>> {
  const url = process.env.DATABASE_URL;
  return url ? await createDatabase(url) : await startEmbedded();
}
