import { buildIndexes } from "#lib/db/build-indexes.ts";
import { migrated } from "#lib/db/database.ts";
import { sanitizeError } from "#lib/db/database-faults.ts";
import { openDatabaseForCommand } from "./database.ts";
import { loadEnvironment } from "./environment.ts";
import { runCommand } from "./run-command.ts";

/** Never aborts: an index of a large table may take an hour. Ctrl-C ends the process, and the next run builds the index again. */
const WITHOUT_LIMIT = new AbortController().signal;

loadEnvironment("production");
await runCommand(
  async () => {
    const close = await openDatabaseForCommand();
    try {
      await migrated();
      await buildIndexes(WITHOUT_LIMIT);
    } finally {
      await close();
    }
    console.log("The tables and indexes of the database have this version.");
  },
  (error) => ({ text: `The database was not migrated: ${(sanitizeError(error) as Error).message}`, exitCode: 1 }),
);
