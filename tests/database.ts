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
    await closeDatabase();
  });
}

/** Deletes all rows. */
export async function emptyDatabase(): Promise<void> {
  await query((db) => db.execute(sql`truncate users, sessions, tokens, throttle, audit_events, usage`));
}
