/** How often a server shows that it lives, in milliseconds, to those that cannot see its process. */
export const BEAT_INTERVAL_MS = 1_000;

/** How long a server in another container may be silent before it counts as gone, in milliseconds: ten missed beats. */
export const SILENT_MS = 10_000;

/** How often a silent server is looked at, in milliseconds. */
export const WATCH_INTERVAL_MS = 500;

/**
 * After how long without a look the database process makes sure that the folder is still its own before it serves on, in
 * milliseconds. Below {@link SILENT_MS}, so that one that was paused for longer finds out first.
 */
export const FENCE_MS = 5_000;

/**
 * How long a server that finds its folder in use waits before it gives up, in milliseconds: a command or another one that
 * starts at the same moment is done with it by then.
 */
export const CLAIM_PATIENCE_MS = 3_000;

/** The longest pause between two attempts, in milliseconds; it is drawn by lot, so that two do not keep step. */
export const CLAIM_PAUSE_MS = 50;

/** How many bytes the path of a socket may have on every system: 104 on macOS, 108 on Linux, with the zero at its end. */
export const SOCKET_PATH_BYTES = 100;

/** How long one connection may keep all others waiting without saying anything, in milliseconds. Then it is cut and rolled back. */
export const HOLD_MS = 5_000;

/** The longest message of a client, in bytes: the largest row of ours is far below a megabyte. */
export const MESSAGE_BYTES = 16 * 1024 * 1024;

/** How long the database process may be busy or stuck before it is replaced, in milliseconds. No statement of ours takes a second. */
export const STUCK_MS = 30_000;

/** Pause before a database process that died is replaced, in milliseconds; it doubles up to {@link RESTART_MAX_MS}. */
export const RESTART_MS = 100;
export const RESTART_MAX_MS = 2_000;

/** A start that takes longer is worth a line, in milliseconds: the first one takes 3 s, later ones 0.5 s. */
export const TELL_AFTER_MS = 1_000;

/** How long a stopping database process may take to write everything down, in milliseconds. Nothing is lost when it does not. */
export const STOP_TIMEOUT_MS = 5_000;

/**
 * How often dead rows are cleared and the write-ahead log is cut, in milliseconds. PostgreSQL does neither by itself without
 * its background processes.
 */
export const TIDY_INTERVAL_MS = 10 * 60_000;
