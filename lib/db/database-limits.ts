/**
 * The most that one statement may take. The wait for a connection counts too, unless the database answers others
 * meanwhile. A request that needs the database has to be answered within two seconds of an outage, and the rest of the request
 * needs its part.
 */
export const QUERY_TIMEOUT_MS = 1_800;

/**
 * The same limit for the embedded database, which runs one statement at a time in a thread of this process. A long statement there is
 * no outage: to vacuum a million audit events takes 0.7 s on an idle machine, and a backup copies the rows of all other tables aside.
 */
export const EMBEDDED_QUERY_TIMEOUT_MS = 10_000;

/** How long `/readyz` waits for a database that is known not to answer. `/readyz` has half a second in all. */
export const KNOWN_OUTAGE_MS = 300;

/**
 * The most that a query waits for a connection while the database answers others, and that a transaction of several statements may take,
 * and for how long one is repeated that was undone because of others. A login is a transaction of twelve statements, which take two seconds
 * where the database is 160 ms away.
 */
export const BUSY_WAIT_MS = 5_000;

/** A timer that is this much late shows that the process stood still. On a busy machine, timers are a few milliseconds late. */
export const STOOD_STILL_MS = 20;

/** How long a query may then go on at most, to read the answers that have arrived. A transaction needs several of them. */
export const STOOD_STILL_GRACE_MS = 500;

/** A query or transaction that takes longer lets shorter ones go first. Most take one to three milliseconds. */
export const LONG_TASK_MS = 5;

/** The number of networks whose average query time is kept. */
export const NETWORKS_KEPT = 10_000;

/** The most that opening a connection may take: measured 20 ms with TLS nearby, 500 ms to another continent. */
export const CONNECT_TIMEOUT_MS = 1_500;

/** Pause before a pool asks for one more connection after PostgreSQL had none left. Each attempt costs PostgreSQL a process. */
export const SHORTAGE_PAUSE_MS = 1_000;

/** Pause before the connections are replaced again, because a write was refused. Otherwise each write that is refused would open them anew. */
export const REPLACEMENT_PAUSE_MS = 1_000;

/** How often a warning about a fault is logged that may occur with every request. */
export const RARE_WARNING_MS = 60_000;

/** For how long `/status` tells of a write that was refused. A full disk may have room for the next one. */
export const REFUSAL_TOLD_MS = 60_000;

/** `Retry-After` while the database is unavailable. A restart takes about as long. */
export const UNAVAILABLE_RETRY_SECONDS = 2;

/** How long a connection is used. This bounds what a server or a pooler keeps for it. */
export const CONNECTION_LIFETIME_MS = 30 * 60_000;

/** A connection that was idle for longer is probed before it is used: firewalls drop idle ones without notice. */
export const PROBE_AFTER_MS = 30_000;

/** The most that a probe may take. It usually takes less than 1 ms. */
export const PROBE_TIMEOUT_MS = 400;

/** TCP keep-alive: when the first probe of an idle connection is sent. */
export const KEEP_ALIVE_SECONDS = 30;

/** How long a connection may take to close before it is cut. */
export const CLOSE_TIMEOUT_SECONDS = 1;

/**
 * How long a statement counts that PostgreSQL does not cancel, such as a commit on a disk that stands still. A server that is gone without
 * notice never ends one.
 */
export const STUCK_SECONDS = 300;

/** For how long an answered cancel request shows that others will be answered. */
export const CANCEL_PROOF_MS = 2_000;

/** How long the connection of a cancelled statement waits for its cancel request. It waits in the background. */
export const CANCEL_TIMEOUT_MS = 1_000;

/** How long a cancel request may take: longer than PostgreSQL stands still for a snapshot of its machine. */
export const CANCEL_OPEN_MS = 60_000;

/** How many cancel requests may be open, each with a file. PostgreSQL closes one within milliseconds unless it stands still. */
export const OPEN_CANCELS = 20;

/** How long a transaction may be idle before PostgreSQL rolls it back, so that a paused replica does not keep its locks. */
export const IDLE_TRANSACTION_MS = 5_000;

/**
 * How long a starting process waits for the database: longer than a query may take, because loading the service blocks the event
 * loop for seconds on a busy machine, and less than the five seconds in which a service has to recover from an outage.
 */
export const START_TIMEOUT_MS = 4_500;

/** How long a migration may take, including the wait for another replica that migrates. */
export const MIGRATION_TIMEOUT_MS = 120_000;

/** How long a migration waits for a table at a time. Queries of that table wait behind it. */
export const MIGRATION_LOCK_TIMEOUT_MS = 1_000;

/** Pause before a process looks again whether another one has migrated. */
export const MIGRATION_POLL_MS = 200;

/** Pause before a process looks again whether another one has built the indexes. */
export const INDEX_POLL_MS = 1_000;

/** How long the process that builds indexes may be silent before it loses its lock, and how often it makes itself heard. */
export const LOCK_IDLE_MS = 30_000;
export const LOCK_HEARTBEAT_MS = 5_000;

/** The oldest PostgreSQL with `NULLS NOT DISTINCT`, which the tables use, as `server_version_num`. */
export const OLDEST_POSTGRES = 150_000;
