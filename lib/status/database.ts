import { sql } from "drizzle-orm";
import { accessEnabled, databaseConfig } from "#lib/config.ts";
import { writeRemedy } from "#lib/db/connection-options.ts";
import { query, refusedWrite } from "#lib/db/database.ts";
import { AppError } from "#lib/errors.ts";
import { detail, type Finding } from "./finding.ts";
import { type HeldTable, heldTables } from "./held-tables.ts";

/** Above this latency, every request is noticeably slower. */
const SLOW_MS = 250;

/** Clocks that are set by NTP are apart by milliseconds. */
const CLOCKS_APART_MS = 60_000;

type Answer = { version: string; isReadOnly: boolean; clockMs: number };

const ASK = sql`
  select current_setting('server_version') as version,
    current_setting('transaction_read_only') = 'on' as "isReadOnly",
    extract(epoch from clock_timestamp())::float8 * 1000 as "clockMs"`;

function clocksApart(apartMs: number) {
  const seconds = Math.round(apartMs / 1_000);
  return {
    state: "warning" as const,
    summary: `The clocks of this server and of its database are ${seconds} seconds apart.`,
    remedy:
      "Set both by NTP. Links end by the clock of this server, its entries of the audit trail are not in the order of their times, and are not found by their day where the clocks are a day apart.",
  };
}

/** It is a stand-by, or `default_transaction_read_only` is on. */
function readOnly() {
  return {
    state: "error" as const,
    summary: "The database refuses to write: nobody can sign in, and nothing can be changed.",
    remedy: writeRemedy(),
  };
}

/** A full disk refuses only what needs more room than there is. */
function refusing(reason: string) {
  return {
    state: "error" as const,
    summary: `The database refused to write within the last minute: ${reason}. Sign-in and changes fail.`,
    remedy: writeRemedy(),
  };
}

/** A transaction that changes no row. Its commit waits for a synchronous stand-by, as that of each change does. */
const COMMIT = sql`select pg_logical_emit_message(true, 'platen', 'status')`;

/** An error of another kind is an answer, such as that the role may not use the function. */
async function takesChanges(): Promise<boolean> {
  return await query((db) => db.execute(COMMIT)).then(
    () => true,
    (error: unknown) => !(error instanceof AppError),
  );
}

function keepingWaiting() {
  return {
    state: "error" as const,
    summary: "The database answers, and keeps changes waiting: nobody can sign in, and nothing can be changed.",
    remedy:
      "Look for a synchronous stand-by that is away: start it, or take it out of synchronous_standby_names. If there is none, see whether the disk of the database stands still.",
  };
}

function locked(held: HeldTable[]) {
  const names = [...new Set(held.map(({ name }) => `"${name}"`))].join(", ");
  const pids = [...new Set(held.map(({ pid }) => pid))].join(", ");
  return {
    state: "error" as const,
    summary: `Another program locks tables of the database, or waits to: ${names}. Requests that change them fail.`,
    remedy: `Look in pg_stat_activity what these processes do: ${pids}. pg_blocking_pids tells whom one of them waits for. A restore or a change of the schema may be left to end; pg_terminate_backend ends a process.`,
  };
}

/** Whether the database answers, takes changes, how fast, and whether its clock is this server's. Open mode has none. @throws ConfigError */
export async function lookAtDatabase(): Promise<Finding> {
  if (!accessEnabled()) return { state: "ok", summary: "Not used: open mode has no users and no tokens." };
  const { url, poolSize } = databaseConfig();
  const mode = url ? "PostgreSQL (DATABASE_URL)" : "embedded, in SERVICE_DATABASE_DIR or below SERVICE_DATA_DIR";
  const details = [detail("Mode", mode), ...(url ? [detail("Connections at most", poolSize)] : [])];
  const startedAt = performance.now();
  try {
    const [row] = await query((db) => db.execute<Answer>(ASK));
    const ms = performance.now() - startedAt;
    const apartMs = Math.abs(Date.now() - ms / 2 - (row?.clockMs ?? 0));
    details.push(
      detail("Version", row?.version ?? null),
      detail("Latency", ms, "milliseconds"),
      detail("Clocks apart", apartMs, "milliseconds"),
    );
    if (row?.isReadOnly) return { ...readOnly(), details };
    const refused = refusedWrite();
    if (refused !== undefined) return { ...refusing(refused), details };
    if (url && !(await takesChanges())) return { ...keepingWaiting(), details };
    const held = url ? await heldTables() : [];
    if (held.length > 0) return { ...locked(held), details };
    if (apartMs > CLOCKS_APART_MS) return { ...clocksApart(apartMs), details };
    if (ms < SLOW_MS) return { state: "ok", summary: "The database answers.", details };
    const remedy = url
      ? "Set DATABASE_URL to a PostgreSQL with a faster connection."
      : "Use a separate PostgreSQL with DATABASE_URL, or give the machine more processors and memory.";
    return { state: "warning", summary: `The database took ${Math.round(ms)} ms to answer.`, remedy, details };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const remedy = url
      ? "Check that the PostgreSQL of DATABASE_URL runs and can be reached."
      : "The server's log says why. SERVICE_DATABASE_DIR must be writable and used by one server only.";
    return {
      state: "error",
      summary: "The database does not answer: sign-in and tokens do not work.",
      remedy,
      details,
    };
  }
}
