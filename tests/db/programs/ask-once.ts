import { checkDatabase, closeDatabase } from "#lib/db/database.ts";

/** A process that starts, needs the database at once, and asks until it answers. */
for (;;) {
  try {
    await checkDatabase();
    break;
  } catch (error) {
    if ((error as { code?: string }).code !== "unavailable") throw error;
  }
}
await closeDatabase();
