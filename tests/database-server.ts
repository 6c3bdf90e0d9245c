import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";

/** Set where other files than the first ones will run. They get a database, whatever the first ones need. */
export const DATABASE_VARIABLE = "PLATEN_TEST_DATABASE";

export type OwnDatabase = {
  /** The environment that points a service to it. */
  env: { DATABASE_URL: string } | { SERVICE_DATABASE_DIR: string };
  remove(): Promise<void>;
};

async function createDatabase(url: string): Promise<OwnDatabase> {
  const name = `platen_test_${randomBytes(6).toString("hex")}`;
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const remove = async () => {
    await client.unsafe(`drop database ${name} with (force)`);
    await client.end();
  };
  return { env: { DATABASE_URL: own.href }, remove };
}

async function startEmbedded(): Promise<OwnDatabase> {
  const dir = await copyEmptyDatabase(mkdtempSync(join(tmpdir(), "platen-test-")));
  const server = await serveEmbedded({ dir, onProgress: () => undefined });
  await server.ready;
  const remove = async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { env: { SERVICE_DATABASE_DIR: dir }, remove };
}

/** Creates an empty database: on the PostgreSQL that `DATABASE_URL` names, or an embedded one. */
export async function createOwnDatabase(): Promise<OwnDatabase> {
  const url = process.env.DATABASE_URL;
  return url ? await createDatabase(url) : await startEmbedded();
}

/** Creates a database for each of `count` workers. @returns their environments, and a function that removes them all */
export async function createOwnDatabases(
  count: number,
): Promise<{ envs: OwnDatabase["env"][]; removeAll: () => Promise<void> }> {
  const databases = await Promise.all(Array.from({ length: count }, createOwnDatabase));
  return {
    envs: databases.map(({ env }) => env),
    removeAll: async () => {
      await Promise.all(databases.map(({ remove }) => remove()));
    },
  };
}
