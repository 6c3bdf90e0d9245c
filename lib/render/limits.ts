/** Enough to make the cost of a launch (0.1 s) vanish, few enough that nothing a browser keeps can pile up. */
export const RENDERS_PER_BROWSER = 1_000;

/** A renderer holds 130 MB after a launch, and 870 MB after 12 MB of text: above this it is replaced rather than cleaned. */
export const RENDERER_RESIDENT_BYTES = 512 * 1024 * 1024;

/** From spawning a browser to its first blank frame, measured at 0.06 to 0.3 s; a cold font cache takes longer. */
export const LAUNCH_TIMEOUT_MS = 15_000;

/** How long a page may take to become blank after a render (3 ms measured) before its browser is killed. */
export const RECOVERY_TIMEOUT_MS = 500;

/** How long a browser may take to close by itself before it is killed. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** Pause after the first failed launch; it doubles with each further one, up to {@link LAUNCH_BACKOFF_MAX_MS}. */
export const LAUNCH_BACKOFF_MS = 100;

/** Short, so that a machine whose disk was freed renders again at the next request. */
export const LAUNCH_BACKOFF_MAX_MS = 1_000;

/** A browser that dies twice on the same input dies of the input. */
export const ATTEMPTS_PER_RENDER = 2;

/** What `Retry-After` may say: below a second it cannot, above a minute it would be a guess. */
export const RETRY_AFTER_MAX_SECONDS = 60;

/** How many addresses a log line names of those that a document asked for in vain: enough to find them in its template. */
export const LOGGED_ADDRESSES = 10;

/** A success this recent proves that rendering works. */
export const PROOF_AGE_MS = 15_000;

/** How long a readiness probe waits for its canary. Probes themselves give up after 10 s at most. */
export const CANARY_TIMEOUT_MS = 5_000;

/** How long a stopping server waits for renders that were accepted; the rest of its 30 s is for closing. */
export const DRAIN_TIMEOUT_MS = 20_000;

/** Leftovers of another machine or container are judged by age, because its processes cannot be seen from here. */
export const FOREIGN_LEFTOVER_AGE_MS = 10 * 60_000;

/** How often a live worker marks its folder, well below {@link FOREIGN_LEFTOVER_AGE_MS}. */
export const WORKER_MARK_INTERVAL_MS = 60_000;

/** A browser keeps what its processes share in the data folder (`--disable-dev-shm-usage`): a picture of 4096 by 4096 is 67 MB. */
export const FREE_DISK_BYTES = 96 * 1024 * 1024;

/** Data longer than this is never kept or shared: hashing it would hold the event loop, and nobody sends a photograph twice. */
export const KEYED_DATA_CHARS = 64 * 1024;
