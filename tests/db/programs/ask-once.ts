import { checkDatabase } from "#lib/db/check-database.ts";
import { closeDatabase } from "#lib/db/database.ts";

/** Asks the database until it answers, like a server that has just started. */
for (;;) {
  try {
    await checkDatabase();
    break;
  } catch (error) {
    if ((error as { code?: string }).code !== "unavailable") throw error;
  }
}
await closeDatabase();
