import { sql } from "drizzle-orm";
import type { Database } from "../connection.ts";

/** What the names of the cursors of a snapshot begin with. */
export const SNAPSHOT_PREFIX = "platen_backup_";

/**
 * Whether a backup of the embedded database is being written. Its cursors tell, which all connections see, because they share one
 * session. PostgreSQL is saved by programs of its own, and has none.
 */
export async function hasOpenSnapshot(database: Database): Promise<boolean> {
  const cursors = sql`select from pg_cursors where starts_with(name, ${SNAPSHOT_PREFIX})`;
  const [answer] = await database.execute<{ isOpen: boolean }>(sql`select exists (${cursors}) as "isOpen"`);
  return answer?.isOpen === true;
}
