/**
 * How long one question or transaction may take, in milliseconds, with waiting for a connection and for its answer. What needs
 * the database is answered within two seconds of the database's going away, and the rest of the request needs its part.
 */
export const QUERY_TIMEOUT_MS = 1_800;

/** How long a new connection may take, in milliseconds: 20 measured with TLS nearby, and a server of another continent needs 500. */
export const CONNECT_TIMEOUT_MS = 1_500;

/** What a client is told to wait while the database is away, in seconds: a restart takes about as long. */
export const AWAY_RETRY_SECONDS = 2;

/** For how long a connection is used, in milliseconds. What a server or a pooler in between keeps for it is bounded by that. */
export const CONNECTION_LIFETIME_MS = 30 * 60_000;

/** After this rest a connection is asked whether it lives before it is used, in milliseconds: firewalls forget idle ones silently. */
export const PROBE_AFTER_MS = 30_000;

/** How long a rested connection may take to show that it lives, in milliseconds. It takes less than one. */
export const PROBE_TIMEOUT_MS = 400;

/** When a quiet connection is first asked by TCP whether the other side is there, in seconds. */
export const KEEP_ALIVE_SECONDS = 30;

/** How long closing may take before connections are cut, in seconds. */
export const CLOSE_TIMEOUT_SECONDS = 1;

/** How long a request to cancel may take, in milliseconds. Nobody waits for it. */
export const CANCEL_TIMEOUT_MS = 1_000;

/** How long a transaction may pause, in milliseconds, before PostgreSQL rolls it back: one of a stopped replica holds its rows no longer. */
export const IDLE_TRANSACTION_MS = 5_000;

/** How long bringing the tables to this version may take, in milliseconds, with waiting for another replica that does it. */
export const MIGRATION_TIMEOUT_MS = 120_000;

/** The oldest PostgreSQL that knows what the tables use (`NULLS NOT DISTINCT`), as its `server_version_num`. */
export const OLDEST_POSTGRES = 150_000;
