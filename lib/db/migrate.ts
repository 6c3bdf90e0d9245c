import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import { PROJECT_DIR } from "#lib/config.ts";

/** Brings the tables to this version. */
export async function migrateDatabase(client: Sql): Promise<void> {
  await migrate(drizzle(client), { migrationsFolder: join(/* turbopackIgnore: true */ PROJECT_DIR, "drizzle") });
}
