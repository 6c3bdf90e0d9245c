import { setTimeout as sleep } from "node:timers/promises";
import { accessEnabled, databaseConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";

/** The database of this process, from start to stop. */
export type DatabaseLife = {
  /** Resolves when it accepts queries. @throws Error when its data cannot be opened */
  ready: Promise<void>;
  /** Resolves when users can sign in, or the database did not answer at the first attempt. Never throws. */
  attempted(): Promise<void>;
  /** Writes pending data, and stops what was started. */
  stop(): Promise<void>;
};

function isEmbeddedWanted(): boolean {
  try {
    return databaseConfig().url === undefined;
  } catch {
    // The fault is reported at start, and requests that need the database are answered 503.
    return false;
  }
}

/** Imported on demand, so that open mode loads no database code. */
async function closeConnections(): Promise<void> {
  const { stopAccess } = await import("#lib/access/start.ts");
  const { closeDatabase } = await import("#lib/db/database.ts");
  await stopAccess();
  await closeDatabase();
}

async function attempted(): Promise<void> {
  const { accessAttempted } = await import("#lib/access/start.ts");
  await accessAttempted();
}

async function serve(onProgress: (message: string) => void, waitMs?: number): Promise<DatabaseLife> {
  const { serveEmbedded } = await import("#lib/db/embedded/serve.ts");
  const { ready, stop } = await serveEmbedded({ dir: databaseConfig().dir, onProgress, waitMs });
  // A caller that awaits `ready` gets the error. If no caller does, the rejection must not end the process.
  ready.catch(() => undefined);
  return { ready, attempted, stop: () => closeConnections().then(stop) };
}

/**
 * Starts the database of a server. With the access layer on and no `DATABASE_URL` that is the embedded one. Resolves as soon as
 * this process owns its folder.
 *
 * @throws FolderInUse when another server owns the folder; ConfigError when it cannot be used
 */
export async function startDatabase(): Promise<DatabaseLife> {
  if (!accessEnabled())
    return { ready: Promise.resolve(), attempted: async () => undefined, stop: async () => undefined };
  if (!isEmbeddedWanted()) return { ready: Promise.resolve(), attempted, stop: closeConnections };
  return await serve((message) => log().info(message));
}

/** How long a command waits for an embedded database that other processes open and close. */
export const OPENING_MS = 30_000;
export const OPENING_PAUSE_MS = 100;

/**
 * Opens the connection of the work before the work begins. The process that serves the database waits for it when it ends, and accepts
 * no further one then.
 * @throws AppError `unavailable` when that process has ended, or is about to
 */
async function joinServer(): Promise<DatabaseLife["stop"]> {
  const { query } = await import("#lib/db/database.ts");
  const { unavailable } = await import("#lib/db/database-faults.ts");
  await query((db) => db.execute("select 1")).catch((error: unknown) => {
    throw error instanceof ConfigError ? unavailable() : error;
  });
  return closeConnections;
}

/** @throws FolderInUse when another process has the folder and serves nothing yet; what {@link joinServer} throws */
async function openEmbedded(dir: string): Promise<DatabaseLife["stop"]> {
  const { isServed } = await import("#lib/db/embedded/folder-lock.ts");
  if (isServed(dir)) return await joinServer();
  const { ready, stop } = await serve((message) => console.error(message), 0);
  await ready.catch((error: unknown) => stop().then(() => Promise.reject(error)));
  return stop;
}

/**
 * Connects a command to the database, also in open mode: the PostgreSQL of `DATABASE_URL`, the embedded database of a running
 * server or of another command, or else one in this process. Call it just before the first query, because no server can start
 * while it is connected.
 *
 * @returns a function that stops the database and closes every connection of this process
 * @throws FolderInUse when another process keeps the folder and serves nothing; ConfigError when the folder cannot be used; Error when
 * its data cannot be opened; AppError `unavailable`
 */
export async function openDatabaseForCommand(): Promise<DatabaseLife["stop"]> {
  const { url, dir } = databaseConfig();
  if (url) return closeConnections;
  const { FolderInUse } = await import("#lib/db/embedded/folder-lock.ts");
  const until = performance.now() + OPENING_MS;
  for (;;) {
    try {
      return await openEmbedded(dir);
    } catch (error) {
      // Another process opens the database, or closes it.
      const mayPass = error instanceof FolderInUse || (error instanceof AppError && error.code === "unavailable");
      if (!mayPass || performance.now() > until) throw error;
      await closeConnections();
    }
    await sleep(OPENING_PAUSE_MS);
  }
}
