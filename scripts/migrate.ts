import { parseArgs } from "node:util";
import { buildIndexes } from "#lib/db/build-indexes.ts";
import { databaseRemedy, writeRemedy } from "#lib/db/connection-options.ts";
import { isRefusedWrite, isUnavailable, sanitizeError, unavailableReason } from "#lib/db/database-faults.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { openDatabaseForCommand } from "./database.ts";
import { loadEnvironment } from "./environment.ts";
import { exitCodeOf, HelpRequest, runCommand } from "./run-command.ts";

const USAGE = `Brings the tables and indexes of the database to this version.

  npm run migrate

It may run at any time, and again, on the database that a server would use: DATABASE_URL, or else the embedded one. A server does
the same when it starts. docs/migrations.md says when to run it before a roll-out.`;

const WRONG_USAGE = 2;

/** Never aborts: an index of a large table may take an hour. Ctrl-C ends the process, and the next run builds the index again. */
const WITHOUT_LIMIT = new AbortController().signal;

function explain(error: unknown): string {
  if (exitCodeOf(error) === WRONG_USAGE) return `${(error as Error).message}\n\n${USAGE}`;
  if (!isUnavailable(error)) return `The database was not migrated: ${(sanitizeError(error) as Error).message}`;
  if (isRefusedWrite(error)) return `The database was not migrated: ${unavailableReason(error)}. ${writeRemedy()}`;
  return `The database was not migrated: it cannot be reached: ${unavailableReason(error)}. ${databaseRemedy()}`;
}

await runCommand(async () => {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help) throw new HelpRequest(USAGE);
  loadEnvironment("production");
  const close = await openDatabaseForCommand();
  try {
    await migrateDatabase();
    await buildIndexes(WITHOUT_LIMIT);
  } finally {
    await close();
  }
  console.log("The tables and indexes of the database have this version.");
}, explain);
