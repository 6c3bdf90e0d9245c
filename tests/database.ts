import { sql } from "drizzle-orm";
import { afterAll, beforeEach, vi } from "vitest";
import { closeDatabase, query } from "#lib/db/database.ts";

/** Switches the access layer on for the tests of a file, and empties the database before each of them. */
export function useDatabase(): void {
  beforeEach(async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    await emptyDatabase();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    // Deleted rows would make the tables of this worker grow from file to file.
    await query((db) => db.execute(sql`truncate users, sessions, tokens, throttle, audit_events, usage`));
    await closeDatabase();
  });
}

/** Deletes all rows: 2 ms for a few of them, where truncating takes 40 ms of processor time and waits for the disk. */
export async function emptyDatabase(): Promise<void> {
  await query((db) =>
    db.execute(sql`
      with of_sessions as (delete from sessions), of_tokens as (delete from tokens), of_throttle as (delete from throttle),
        of_audit_events as (delete from audit_events), of_usage as (delete from usage)
      delete from users`),
  );
}
