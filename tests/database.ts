import { sql } from "drizzle-orm";
import { afterAll, beforeEach, vi } from "vitest";
import { fullBuckets } from "#lib/access/login/full-buckets.ts";
import { buildIndexes } from "#lib/db/build-indexes.ts";
import { closeDatabase, query } from "#lib/db/database.ts";

/** Switches the access layer on for the tests of a file, and empties the database before each of them. */
export function useDatabase(): void {
  beforeEach(async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    await emptyDatabase();
    fullBuckets.reset();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await closeDatabase();
  });
}

/** Builds the indexes that a running service builds after its start. */
export async function completeIndexes(): Promise<void> {
  await query((db) => db.execute(sql`select 1`));
  await buildIndexes(new AbortController().signal);
}

const TABLES = [
  "users",
  "sessions",
  "devices",
  "unknown_logins",
  "tokens",
  "throttle",
  "audit_events",
  "audit_seals",
  "usage",
];

/**
 * Deletes all rows. The replica role switches off the triggers, one of which keeps the last administrator. `TRUNCATE` would
 * take a hundred times as long, because it replaces the files of each table and index.
 */
export async function emptyDatabase(): Promise<void> {
  const deletions = TABLES.map((table) => `delete from ${table};`).join(" ");
  await query((db) =>
    db.execute(sql.raw(`do $$ begin set local session_replication_role = replica; ${deletions} end $$`)),
  );
}
