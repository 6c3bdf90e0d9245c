import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseConfig } from "#lib/config.ts";
import { Connection } from "#lib/db/connection.ts";
import { type ConnectionOptions, connectionOptions, embeddedOptions } from "#lib/db/connection-options.ts";
import { isUnavailable } from "#lib/db/database-faults.ts";
import { START_TIMEOUT_MS } from "#lib/db/database-limits.ts";
import { FolderInUse, isServed } from "#lib/db/embedded/folder-lock.ts";
import { type EmbeddedServer, serveEmbedded } from "#lib/db/embedded/serve.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { OPENING_MS, OPENING_PAUSE_MS } from "../database.ts";

type Use<T> = (connection: Connection) => Promise<T>;

/** Tells people what takes long. */
export type Report = (message: string) => void;

async function connect(options: ConnectionOptions): Promise<Connection> {
  return await Connection.open(AbortSignal.timeout(START_TIMEOUT_MS), START_TIMEOUT_MS, options);
}

async function useAndClose<T>(connection: Connection, use: Use<T>): Promise<T> {
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** Connects without creating or changing tables. */
async function connected<T>(options: ConnectionOptions, use: Use<T>): Promise<T> {
  return await useAndClose(await connect(options), use);
}

/**
 * Serves the embedded database for this command.
 * @param waitMs how long to wait for another process that has it, in milliseconds
 * @returns undefined while another process has it, also one of another container
 */
async function serveAlone(report: Report, waitMs?: number): Promise<EmbeddedServer | undefined> {
  const { dir } = databaseConfig();
  if (isServed(dir)) return undefined;
  return await serveEmbedded({ dir, onProgress: report, waitMs }).catch((error: unknown) => {
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

/**
 * Connects to the process that has the embedded database.
 * @returns undefined while that process serves nothing and more attempts follow
 */
async function joinOther({ isLast }: { isLast: boolean }): Promise<Connection | undefined> {
  try {
    return await connect(embeddedOptions(databaseConfig().dir));
  } catch (error) {
    if (!isLast && (error instanceof ConfigError || isUnavailable(error))) return undefined;
    throw error;
  }
}

/**
 * Uses the embedded database, beside a server or another command where one runs. Waits for a process that opens or closes it.
 * @param signal ends the wait after the current attempt
 * @throws the error of the connection when that takes longer than {@link OPENING_MS}; AbortError
 */
export async function withEmbedded<T>(
  { report, signal }: { report: Report; signal: AbortSignal },
  use: Use<T>,
): Promise<T> {
  const until = performance.now() + OPENING_MS;
  for (let isTold = false; ; isTold = true) {
    signal.throwIfAborted();
    const own = await serveAlone(report, 0);
    if (own) return await useEmbedded(own, use);
    const connection = await joinOther({ isLast: performance.now() > until });
    if (connection) return await useAndClose(connection, use);
    if (!isTold) report("Waiting for a process that opens or closes the embedded database …");
    await sleep(OPENING_PAUSE_MS, undefined, { signal });
  }
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
