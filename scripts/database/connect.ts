import { existsSync } from "node:fs";
import { join } from "node:path";
import { databaseConfig } from "#lib/config.ts";
import { Connection } from "#lib/db/connection.ts";
import { type ConnectionOptions, connectionOptions, embeddedOptions } from "#lib/db/connection-options.ts";
import { START_TIMEOUT_MS } from "#lib/db/database-limits.ts";
import { FolderInUse, isServed } from "#lib/db/embedded/folder-lock.ts";
import { type EmbeddedServer, serveEmbedded } from "#lib/db/embedded/serve.ts";

type Use<T> = (connection: Connection) => Promise<T>;

/** Tells people what takes long. */
export type Report = (message: string) => void;

/** Connects without creating or changing tables. */
async function connected<T>(options: ConnectionOptions, use: Use<T>): Promise<T> {
  const connection = await Connection.open(AbortSignal.timeout(START_TIMEOUT_MS), START_TIMEOUT_MS, options);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** Serves the embedded database for this command. @returns undefined while a server has it, also one of another container */
async function serveAlone(report: Report): Promise<EmbeddedServer | undefined> {
  const { dir } = databaseConfig();
  if (isServed(dir)) return undefined;
  return await serveEmbedded({ dir, onProgress: report }).catch((error: unknown) => {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  });
}

async function useEmbedded<T>(own: EmbeddedServer | undefined, use: Use<T>): Promise<T> {
  try {
    await own?.ready;
    return await connected(embeddedOptions(databaseConfig().dir), use);
  } finally {
    await own?.stop();
  }
}

/** Has the embedded database to itself. @throws Error while a server uses it */
export async function withOwnEmbedded<T>(report: Report, use: Use<T>): Promise<T> {
  const own = await serveAlone(report);
  if (own) return await useEmbedded(own, use);
  const { dir } = databaseConfig();
  throw new Error(
    `A server uses the embedded database in ${dir}. Stop it first: what it writes meanwhile would be lost.`,
  );
}

/** Uses the embedded database, beside a server where one runs. */
export async function withEmbedded<T>(report: Report, use: Use<T>): Promise<T> {
  return await useEmbedded(await serveAlone(report), use);
}

/** Uses the PostgreSQL of `DATABASE_URL`. @throws ConfigError when it is not set */
export async function withPostgres<T>(use: Use<T>): Promise<T> {
  return await connected(connectionOptions(), use);
}

/** @throws Error when there is no embedded database yet */
export function requireEmbeddedData(): void {
  const { dir } = databaseConfig();
  if (existsSync(join(dir, "data", "PG_VERSION"))) return;
  throw new Error(
    `There is no embedded database in ${dir}. Set SERVICE_DATA_DIR or SERVICE_DATABASE_DIR to the folder of the server.`,
  );
}
