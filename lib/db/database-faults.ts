import { AppError } from "#lib/errors.ts";
import { AWAY_RETRY_SECONDS } from "./database-limits.ts";

/**
 * What is left of a fault that PostgreSQL reported: enough to act on it and to find its place in the code. What the driver
 * throws holds the statement and its parameters, and PostgreSQL's own words quote rows; none of that may reach a log.
 */
class DatabaseError extends Error {
  override name = "DatabaseError";
  readonly sqlState: string;
  /** The constraint or unique index that was broken. */
  readonly constraint: string | undefined;

  constructor(message: string, { sqlState, constraint }: { sqlState: string; constraint: string | undefined }) {
    super(message);
    this.sqlState = sqlState;
    this.constraint = constraint;
  }
}

type ServerFault = {
  sqlState: string;
  constraint: string | undefined;
  /** The constraint, or the column, of which it is about. */
  place: string;
  message: string;
};

/** The fault that PostgreSQL reported, however deep it is wrapped. By shape: the bundler makes copies of every class. */
function serverFault(error: unknown): ServerFault | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { sqlState, constraint, severity, code, ...names } = fault as unknown as Record<string, string>;
    const { message } = fault;
    if (fault.name === "DatabaseError" && sqlState) return { sqlState, constraint, place: "", message };
    if (!severity || !code) continue;
    const place = names.constraint_name ?? [names.table_name, names.column_name].filter(Boolean).join(".");
    return { sqlState: code, constraint: names.constraint_name, place, message };
  }
  return undefined;
}

/** The SQLSTATE of what PostgreSQL reported; undefined when the fault is not PostgreSQL's. */
export function sqlState(error: unknown): string | undefined {
  return serverFault(error)?.sqlState;
}

/** Whether a row was refused because another one holds what `constraint` (the name of an index or constraint) keeps unique. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const fault = serverFault(error);
  return fault?.sqlState === "23505" && fault.constraint === constraint;
}

/**
 * PostgreSQL cannot or will not serve now, and may later: connections (08), a login or database that is not there (28, 3D),
 * another transaction in the way (40), resources (53), locks and interruptions (55P03, 57), a stand-by (25006).
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const AWAY_STATES = /^(?:08|28|3D|40|53|57)|^(?:25006|55P03)$/;

/** Whether the driver threw this, which says for which statement, or nothing was heard of it in time. */
function isOfDriver(error: Error): boolean {
  if (error.name === "TimeoutError") return true;
  return "query" in error || String((error as NodeJS.ErrnoException).code).startsWith("CONNECT");
}

/** Whether nothing is wrong but that the database is not there. */
export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return AWAY_STATES.test(state);
  return error instanceof Error && isOfDriver(error);
}

/** For the log: why the database is away, without where it is. */
export function awayReason(error: unknown): string {
  const fault = serverFault(error);
  if (fault) return fault.sqlState;
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && typeof inner.code === "string") return inner.code;
  }
  return "unknown";
}

/** What everyone is told while the database is away. */
export function unavailable(): AppError {
  return new AppError("unavailable", "The service cannot reach its database. Please try again shortly.", {
    headers: { "Retry-After": String(AWAY_RETRY_SECONDS) },
  });
}

function framesOf(error: Error): string {
  const head = `Error: ${error.message}`;
  return error.stack?.startsWith(head) ? error.stack.slice(head.length) : "";
}

/** What may leave this layer of whatever was thrown in it. Faults that are not the driver's are left as they are. */
export function presentable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if (isAway(error)) return unavailable();
  const fault = serverFault(error);
  if (!fault || error.name === "DatabaseError") return error;
  const { sqlState, place, message } = fault;
  // Of these alone the words are about the statement, never about what a row or a parameter held.
  const words = sqlState.startsWith("42") ? `: ${message}` : "";
  const about = place ? ` (${place})` : "";
  const clean = new DatabaseError(`PostgreSQL refused a statement with ${sqlState}${about}${words}`, fault);
  clean.stack = `${clean.name}: ${clean.message}${framesOf(error)}`;
  return clean;
}
