import { setTimeout as sleep } from "node:timers/promises";
import { abortable } from "#lib/abortable.ts";
import { log } from "#lib/log.ts";
import { Connection } from "./connection.ts";
import { INDEX_POLL_MS, LOCK_HEARTBEAT_MS, LOCK_IDLE_MS, START_TIMEOUT_MS } from "./database-limits.ts";
import { type ConcurrentIndex, type Migration, pendingMigrations, recordMigration } from "./migrations.ts";

/** The advisory lock of the process that builds indexes: an arbitrary number that must be the same in every version. */
const INDEX_LOCK = 7_081_970_342;

async function withConnection<T>(use: (connection: Connection) => Promise<T>, signal: AbortSignal): Promise<T> {
  const opening = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  const connection = await Connection.open(opening, START_TIMEOUT_MS);
  try {
    return await abortable(use(connection), signal);
  } catch (error) {
    await connection.abandon();
    throw error;
  } finally {
    await connection.close();
  }
}

async function pendingIndexes(connection: Connection): Promise<Migration[]> {
  return (await pendingMigrations(connection)).filter(({ indexes }) => indexes);
}

/** A build whose process was killed goes on in the server until it is complete. */
const FIND_INDEX = (name: string) => `
  select indisvalid as "isValid",
    exists (select from pg_stat_progress_create_index where index_relid = indexrelid) as "isBeingBuilt"
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relname = '${name}' and pg_table_is_visible(indexrelid)`;

/** Builds an index unless it is there, and replaces one whose build was cut off, which PostgreSQL calls invalid. */
async function buildIndex(connection: Connection, { name, statement }: ConcurrentIndex): Promise<void> {
  await connection.allowLongStatements("session");
  for (;;) {
    const [index] = await connection.run(FIND_INDEX(name));
    if (index?.isValid === true) return;
    if (index?.isBeingBuilt === true) await sleep(INDEX_POLL_MS);
    else if (index) await connection.run(`drop index concurrently if exists "${name}"`);
    else break;
  }
  log().info({ index: name }, "An index is being built. The service can be used meanwhile.");
  const startedAt = performance.now();
  await connection.run(statement);
  log().info({ index: name, ms: Math.round(performance.now() - startedAt) }, "An index was built.");
}

async function buildAll(connection: Connection): Promise<void> {
  for (const migration of await pendingIndexes(connection)) {
    for (const index of migration.indexes ?? []) await buildIndex(connection, index);
    await recordMigration(connection, migration);
  }
}

/**
 * Runs `work` while a transaction on a connection of its own holds the lock. Such a lock also works through a pooler. The build of
 * an index waits for transactions with a snapshot: this one has none, because it runs nothing but `set`.
 * @returns false when another process has the lock
 */
async function whileLocked(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
  return await withConnection(async (holder) => {
    await holder.begin();
    await holder.limitIdleTime(LOCK_IDLE_MS);
    const [lock] = await holder.run(`select pg_try_advisory_xact_lock(${INDEX_LOCK}) as mine`);
    if (lock?.mine !== true) return false;
    const lost = new AbortController();
    const heartbeat = setInterval(() => {
      holder.limitIdleTime(LOCK_IDLE_MS).catch((error: unknown) => lost.abort(error));
    }, LOCK_HEARTBEAT_MS);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
      await holder.run("commit");
      return true;
    } finally {
      clearInterval(heartbeat);
    }
  }, signal);
}

/**
 * Builds the indexes that the database lacks, while it is in use. Resolves when all of them are there. Of several processes, one
 * builds, and the others look again from time to time.
 * @throws the signal's reason, or the error of the connection or a statement
 */
export async function buildIndexes(signal: AbortSignal): Promise<void> {
  const isComplete = () =>
    withConnection(async (connection) => (await pendingIndexes(connection)).length === 0, signal);
  while (!(await isComplete())) {
    const hasBuilt = await whileLocked((locked) => withConnection(buildAll, locked), signal);
    // This timer keeps `npm run migrate` alive: nothing else runs in it meanwhile.
    if (!hasBuilt) await sleep(INDEX_POLL_MS, undefined, { signal });
  }
}
