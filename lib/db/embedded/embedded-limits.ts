/** How often a server touches its claim file, for servers that cannot see its process. */
export const HEARTBEAT_INTERVAL_MS = 1_000;

/** A server in another container counts as dead after this time without a heartbeat: ten missed ones. */
export const SILENT_MS = 10_000;

/** How often the heartbeat of another server is checked meanwhile. */
export const WATCH_INTERVAL_MS = 500;

/**
 * After a longer pause the database thread checks that it still owns the folder before it continues. Below {@link SILENT_MS},
 * so that a process that was paused for that long notices before it writes.
 */
export const OWNERSHIP_CHECK_MS = 5_000;

/** How long a server waits for a folder that is in use. A command that ends, or a server that started at the same moment, is done earlier. */
export const CLAIM_TIMEOUT_MS = 5_000;

/** The longest pause between two attempts. It is random, so that two processes do not keep colliding. */
export const CLAIM_PAUSE_MS = 50;

/** The longest socket path on every system, in bytes: 104 on macOS and 108 on Linux, with a terminating zero. */
export const SOCKET_PATH_BYTES = 100;

/** A connection that keeps the session and is silent for this long is closed, and its transaction rolled back. */
export const SESSION_IDLE_MS = 5_000;

/** The longest message of a client. The largest row of this schema is far below 1 MB. */
export const MESSAGE_BYTES = 16 * 1024 * 1024;

/** The database thread is replaced after this time without an answer. No statement of this service takes a second. */
export const STUCK_MS = 30_000;

/** Pause before a dead database thread is replaced. It doubles up to {@link RESTART_MAX_MS}. */
export const RESTART_MS = 100;
export const RESTART_MAX_MS = 2_000;

/** A copy of the folder that has grown in this time is not complete. */
export const COPY_PAUSE_MS = 1_000;

/** A start that takes longer prints a progress message. The first start takes 5 s, later ones 0.5 s. */
export const PROGRESS_AFTER_MS = 1_000;

/** How long the database thread may take to stop. Nothing is lost when it is terminated. */
export const STOP_TIMEOUT_MS = 5_000;

/**
 * How much of that time the thread waits until other processes, such as a command at work, have closed their connections. Its own work needs
 * a tenth of a second.
 */
export const CLIENTS_LEAVE_MS = 2_000;

/** How often tables are vacuumed and the write-ahead log is cut. PGlite lacks PostgreSQL's background processes for that. */
export const MAINTENANCE_INTERVAL_MS = 10 * 60_000;

/** How often the database looks for tables that have grown. A flood of logins adds 10,000 rows in this time. */
export const GROWTH_INTERVAL_MS = 30_000;

/** A table with more dead rows, or more changed ones since its statistics were made, is vacuumed and analyzed. */
export const CHANGED_ROWS = 1_000;

/**
 * A table whose oldest row was written longer ago, counted in transactions that wrote something, has its rows marked as old: PostgreSQL's
 * default for `autovacuum_freeze_max_age`. It refuses to write at two billion.
 */
export const OLD_TRANSACTIONS = 200_000_000;

/**
 * How often the log of changes is brought to the disk, for which no change waits: that takes 1 to 20 ms, and a login is ten changes. A power
 * failure takes what is newer.
 */
export const LOG_SYNC_MS = 500;
