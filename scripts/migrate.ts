import { buildIndexes } from "#lib/db/build-indexes.ts";
import { databaseRemedy } from "#lib/db/connection-options.ts";
import { isUnavailable, sanitizeError, unavailableReason } from "#lib/db/database-faults.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { openDatabaseForCommand } from "./database.ts";
import { loadEnvironment } from "./environment.ts";
import { runCommand } from "./run-command.ts";

/** Never aborts: an index of a large table may take an hour. Ctrl-C ends the process, and the next run builds the index again. */
const WITHOUT_LIMIT = new AbortController().signal;

function reasonOf(error: unknown): string {
  if (!isUnavailable(error)) return (sanitizeError(error) as Error).message;
  return `it cannot be reached: ${unavailableReason(error)}. ${databaseRemedy()}`;
}

await runCommand(
  async () => {
    loadEnvironment("production");
    const close = await openDatabaseForCommand();
    try {
      await migrateDatabase();
      await buildIndexes(WITHOUT_LIMIT);
    } finally {
      await close();
    }
    console.log("The tables and indexes of the database have this version.");
  },
  (error) => `The database was not migrated: ${reasonOf(error)}`,
);
