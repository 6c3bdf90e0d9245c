import { sql } from "drizzle-orm";
import { accessEnabled, databaseConfig } from "#lib/config.ts";
import { query } from "#lib/db/database.ts";
import { AppError } from "#lib/errors.ts";
import { detail, type Finding } from "./finding.ts";

/** An answer that takes longer is noticed with every request. */
const SLOW_MS = 250;

/** Whether the database answers, and how fast. In open mode it is not asked. @throws ConfigError */
export async function lookAtDatabase(): Promise<Finding> {
  if (!accessEnabled()) return { state: "ok", summary: "Not used: nobody signs in, and there are no tokens." };
  const { url, poolSize } = databaseConfig();
  const mode = url ? "PostgreSQL (DATABASE_URL)" : "embedded, in SERVICE_DATABASE_DIR or below SERVICE_DATA_DIR";
  const details = [detail("Mode", mode), ...(url ? [detail("Connections at most", poolSize)] : [])];
  const startedAt = performance.now();
  try {
    const [row] = await query((db) => db.execute<{ server_version: string }>(sql`show server_version`));
    const ms = performance.now() - startedAt;
    details.push(detail("Version", row?.server_version ?? null), detail("Latency", ms, "milliseconds"));
    if (ms < SLOW_MS) return { state: "ok", summary: "The database answers.", details };
    const remedy = url
      ? "Let DATABASE_URL name a PostgreSQL that is nearer."
      : "Move to a PostgreSQL of its own with DATABASE_URL, or give the machine more room.";
    return { state: "warning", summary: `The database took ${Math.round(ms)} ms to answer.`, remedy, details };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const remedy = url
      ? "See that the PostgreSQL of DATABASE_URL runs and can be reached."
      : "The server's log says why. SERVICE_DATABASE_DIR has to be writable, and used by one server alone.";
    return {
      state: "error",
      summary: "The database does not answer: nobody can sign in, and no token works.",
      remedy,
      details,
    };
  }
}
