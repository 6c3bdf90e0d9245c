import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";

export type OwnDatabase = {
  /** What tells a service where it is. */
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
  const dir = mkdtempSync(join(tmpdir(), "platen-test-"));
  const server = await serveEmbedded({ dir, onProgress: () => undefined });
  await server.ready;
  const remove = async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { env: { SERVICE_DATABASE_DIR: dir }, remove };
}

/** An empty database that nobody else knows: on the PostgreSQL that `DATABASE_URL` names, or an embedded one. */
export async function createOwnDatabase(): Promise<OwnDatabase> {
  const url = process.env.DATABASE_URL;
  return url ? await createDatabase(url) : await startEmbedded();
}

/** Makes this process and all that it starts use a database of their own, whatever the environment said. @returns how to remove it */
export async function provideDatabase(): Promise<() => Promise<void>> {
  const { DATABASE_URL, SERVICE_DATABASE_DIR } = process.env;
  const { env, remove } = await createOwnDatabase();
  Object.assign(process.env, env);
  return async () => {
    await remove();
    if (DATABASE_URL !== undefined) process.env.DATABASE_URL = DATABASE_URL;
    if (SERVICE_DATABASE_DIR !== undefined) process.env.SERVICE_DATABASE_DIR = SERVICE_DATABASE_DIR;
  };
}
