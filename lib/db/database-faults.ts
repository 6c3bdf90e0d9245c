import { AppError } from "#lib/errors.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "./database-limits.ts";

/**
 * An error of PostgreSQL that is safe to log. The driver's errors contain the statement and its parameters, and PostgreSQL's
 * messages quote rows, so that this one keeps only the code, the constraint and the stack.
 */
class DatabaseError extends Error {
  override name = "DatabaseError";
  readonly sqlState: string;
  /** The violated constraint or unique index. */
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
  /** The constraint or the column that the fault is about. */
  place: string;
  message: string;
  /** Whether PostgreSQL, or the pooler before it, refused or ended the connection. */
  isFatal: boolean;
};

/** The fault that PostgreSQL reported, at any depth of `cause`. Matched by shape, because the bundler copies every class. */
function serverFault(error: unknown): ServerFault | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { sqlState, constraint, code, ...names } = fault as unknown as Record<string, string>;
    // PgBouncer sends the severity only as PostgreSQL before 9.6 did, which the driver calls the local one.
    const severity = names.severity ?? names.severity_local;
    const { message } = fault;
    if (fault.name === "DatabaseError" && sqlState) return { sqlState, constraint, place: "", message, isFatal: false };
    if (!severity || !code) continue;
    const place = names.constraint_name ?? [names.table_name, names.column_name].filter(Boolean).join(".");
    const isFatal = severity === "FATAL" || severity === "PANIC";
    return { sqlState: code, constraint: names.constraint_name, place, message, isFatal };
  }
  return undefined;
}

/** The SQLSTATE of an error. Undefined when PostgreSQL did not report it. */
export function sqlState(error: unknown): string | undefined {
  return serverFault(error)?.sqlState;
}

/** Whether a row was refused because another row has the same value in `constraint`, a unique index or constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const fault = serverFault(error);
  return fault?.sqlState === "23505" && fault.constraint === constraint;
}

/**
 * SQLSTATEs after which a later attempt may succeed: connections (08), login and database names (28, 3D), concurrent
 * transactions (40), resources (53), locks and interruptions (55P03, 57), the disk (58), a read-only stand-by (25006).
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNAVAILABLE_STATES = /^(?:08|28|3D|40|53|57|58)|^(?:25006|55P03)$/;

/** PostgreSQL has one SQLSTATE for a right that a user lacks and for a file that it may not open itself, as in a folder that was closed to it. */
function isClosedFile({ sqlState, message }: ServerFault): boolean {
  return sqlState === "42501" && /^could not \w+ (?:file|directory) /.test(message);
}

/**
 * Whether the driver threw the error or a timeout passed. The driver's errors have a `query` or a code that begins with `CONNECT`, as
 * {@link LOST_FOLDER} does.
 */
function isDriverError(error: Error): boolean {
  if (error.name === "TimeoutError") return true;
  return "query" in error || String((error as NodeJS.ErrnoException).code).startsWith("CONNECT");
}

/**
 * Whether an error means that the database cannot be reached or cannot serve at the moment. A fatal one does whatever its
 * SQLSTATE is: poolers refuse connections with codes of their own, such as XX000.
 */
export function isUnavailable(error: unknown): boolean {
  const fault = serverFault(error);
  if (fault) return fault.isFatal || UNAVAILABLE_STATES.test(fault.sqlState) || isClosedFile(fault);
  return error instanceof Error && isDriverError(error);
}

/** SQLSTATEs of transactions that cannot both be done: two wait for each other, or a row has changed that one had read. */
const CONFLICT_STATES = ["40P01", "40001"];

/** Whether PostgreSQL has undone a transaction because of another one. It can be repeated at once, on the same connection. */
export function isConflict(error: unknown): boolean {
  return CONFLICT_STATES.includes(sqlState(error) ?? "");
}

const READ_ONLY_STATE = "25006";

/** Whether a connection refuses to write, as all of a stand-by do. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY_STATE;
}

/** SQLSTATEs with which a database refuses to write while it answers reads: it is read-only, or its disk is full. */
const REFUSED_WRITE_STATES = [READ_ONLY_STATE, "53100"];

/** Whether the database answered that it cannot write. Such an error is {@link isUnavailable} too, but it is no outage. */
export function isRefusedWrite(error: unknown): boolean {
  return REFUSED_WRITE_STATES.includes(sqlState(error) ?? "");
}

/** The code of the error that a server gets which has lost the folder of its embedded database. */
export const LOST_FOLDER = "CONNECT_LOST_FOLDER";

/** What codes of Node, of the driver and of PostgreSQL mean. */
const REASONS: Record<string, string> = {
  "25006": "it is read-only, as a stand-by is",
  "28000": "the user may not connect from here, or only with TLS",
  "28P01": "the user or the password is wrong",
  "3D000": "there is no database of that name",
  "53100": "its disk is full",
  "53200": "it has no memory left",
  "53300": "no connection is left",
  "55000": "it accepts no connections",
  "55P03": "a statement waited longer for a lock than lock_timeout allows",
  "57014": "it ended a statement, as statement_timeout does",
  "57P03": "it is starting",
  "58030": "its disk cannot be read or written",
  [LOST_FOLDER]: "its folder was moved or deleted, is closed to this user, or its disk is away",
  CONNECT_TIMEOUT: "nothing answered in time",
  EAI_AGAIN: "the name of the host cannot be looked up now",
  // PgBouncer says why, but the driver does not pass that on.
  CONNECTION_CLOSED:
    "it closed the connection, as at a restart. A PgBouncer with pool_mode = statement does so at each transaction",
  CONNECTION_DESTROYED:
    "it closed the connection before it was ready, as at a restart, or it is not what target_session_attrs asks for",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  EHOSTUNREACH: "there is no way to the host",
  ENOENT: "nothing listens there",
  ENOTFOUND: "no host has that name",
  EPIPE: "the connection was cut",
  ETIMEDOUT: "nothing answered in time",
};

function codeOf(error: unknown): string | undefined {
  const fault = serverFault(error);
  if (fault) return fault.sqlState;
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && typeof inner.code === "string") return inner.code;
  }
  return undefined;
}

/** SQLSTATEs of connections that PostgreSQL, or a pooler, refuses because of a parameter of the URL, which its message names. */
const REFUSED_PARAMETER = /^(?:42|08P01)/;

/** Why the database is unavailable, for the log. It does not contain the address. */
export function unavailableReason(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return "no answer in time";
  const fault = serverFault(error);
  if (fault && isClosedFile(fault)) return `it may not open its own files (${code})`;
  const { isFatal, message } = fault ?? {};
  const reason = REASONS[code] ?? (isFatal && REFUSED_PARAMETER.test(code) ? message : undefined);
  return reason === undefined ? code : `${reason} (${code})`;
}

const RETRY = { headers: { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) } };

/** The error for clients while the database is unavailable. */
export function unavailable(): AppError {
  return new AppError("unavailable", "The service cannot reach its database. Please try again shortly.", RETRY);
}

/** The error for clients when the database answers, but too many queries were before theirs. */
export function busy(): AppError {
  return new AppError("unavailable", "The service's database is busy. Please try again shortly.", RETRY);
}

function framesOf(error: Error): string {
  const head = `Error: ${error.message}`;
  return error.stack?.startsWith(head) ? error.stack.slice(head.length) : "";
}

/** What to do about data that PostgreSQL cannot read. */
const DAMAGES: Record<string, string> = {
  XX001: "a file of the database is damaged. Restore a backup, after a look at its disk",
  XX002: "an index of the database is damaged. REINDEX builds it again, after a look at its disk",
};

/** Class 42 is about the statement itself. All other messages of PostgreSQL may quote a row or a parameter. */
function explanationOf({ sqlState, message }: ServerFault): string | undefined {
  return sqlState.startsWith("42") ? message : DAMAGES[sqlState];
}

/** Replaces the driver's errors by ones without statements, parameters and rows. Other errors stay as they are. */
export function sanitizeError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if (isConflict(error)) return busy();
  if (isUnavailable(error)) return unavailable();
  const fault = serverFault(error);
  if (!fault || error.name === "DatabaseError") return error;
  const about = fault.place ? ` (${fault.place})` : "";
  const text = [`PostgreSQL refused a statement with ${fault.sqlState}${about}`, explanationOf(fault)];
  const sanitized = new DatabaseError(text.filter(Boolean).join(": "), fault);
  sanitized.stack = `${sanitized.name}: ${sanitized.message}${framesOf(error)}`;
  return sanitized;
}
