import { accessEnabled, databaseConfig } from "#lib/config.ts";

/** The database for as long as a process needs it. */
export type DatabaseLife = {
  /** Resolves when it can be asked. @throws Error when its data cannot be opened */
  ready: Promise<void>;
  /** Resolves once whoever may sign in can. Never throws, and takes as long as the database is away. */
  begun(): Promise<void>;
  /** Writes everything down, and ends what was begun. */
  stop(): Promise<void>;
};

function isEmbeddedWanted(): boolean {
  try {
    return databaseConfig().url === undefined;
  } catch {
    // Reported at start; what needs the database is answered 503.
    return false;
  }
}

/** Loaded where they are wanted: open mode has nothing of a database in it. */
async function closeConnections(): Promise<void> {
  const { stopAccess } = await import("#lib/access/start.ts");
  const { closeDatabase } = await import("#lib/db/database.ts");
  await stopAccess();
  await closeDatabase();
}

async function begun(): Promise<void> {
  const { accessBegun } = await import("#lib/access/start.ts");
  await accessBegun();
}

async function serve(onProgress: (message: string) => void): Promise<DatabaseLife> {
  const { serveEmbedded } = await import("#lib/db/embedded/serve.ts");
  const { ready, stop } = await serveEmbedded({ dir: databaseConfig().dir, onProgress });
  // Whoever waits hears of a failure; until then it is no crash.
  ready.catch(() => undefined);
  return { ready, begun, stop: () => closeConnections().then(stop) };
}

/**
 * Brings the embedded database for as long as a server lives: with the access layer on, and no `DATABASE_URL`. Resolves as soon
 * as its folder is this process's own.
 *
 * @throws FolderInUse when another server has the folder; ConfigError when it cannot be used
 */
export async function startDatabase(): Promise<DatabaseLife> {
  if (!accessEnabled()) return { ready: Promise.resolve(), begun: async () => undefined, stop: async () => undefined };
  if (!isEmbeddedWanted()) return { ready: Promise.resolve(), begun, stop: closeConnections };
  return await serve((message) => console.log(message));
}

/**
 * Makes the database reachable for a command, whether or not the service has the access layer on: the PostgreSQL of
 * `DATABASE_URL`, the embedded one of a server that runs, or the embedded one in this process where none does. To be called
 * when the command has everything it needs, just before its first question: no server can start meanwhile.
 *
 * @returns ends that, and every connection of this process
 * @throws ConfigError when the folder cannot be used; Error when its data cannot be opened
 */
export async function openDatabaseForCommand(): Promise<() => Promise<void>> {
  const { url, dir } = databaseConfig();
  const { FolderInUse, isServed } = await import("#lib/db/embedded/lock.ts");
  if (url || isServed(dir)) return closeConnections;
  try {
    const { ready, stop } = await serve((message) => console.error(message));
    await ready.catch((error: unknown) => stop().then(() => Promise.reject(error)));
    return stop;
  } catch (error) {
    if (error instanceof FolderInUse) return closeConnections;
    throw error;
  }
}
