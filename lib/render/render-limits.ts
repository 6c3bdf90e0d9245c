/** How often the memory of a browser is looked at while it draws: it grows by 1 GB a second at most, and a look takes 0.4 ms. */
export const MEMORY_SAMPLE_MS = 100;

/** A browser that holds more than this part of what it may after a render is replaced before the next one needs the room. */
export const WORN_MEMORY_SHARE = 0.5;

/** Renders of one caller that are prepared ahead, beyond one for each browser, so that none waits for the next document. */
export const PREPARED_AHEAD = 1;

/** From spawning a browser to its first blank frame, measured at 0.06 to 0.3 s; a cold font cache takes longer. */
export const LAUNCH_TIMEOUT_MS = 15_000;

/** How long a page may take to become blank after a render (3 ms measured) before its browser is killed. */
export const RECOVERY_TIMEOUT_MS = 500;

/**
 * Documents of ours that follow one another in a page before it is made new: each leaves its content policy with it, which
 * is nothing for dozens, and a new page for every 32nd costs 0.3 ms a picture.
 */
export const DOCUMENTS_PER_PAGE = 32;

/** A page that nobody has used for so long is made blank, so that nobody's data stays in a browser. The next request of one caller comes sooner. */
export const IDLE_PAGE_MS = 250;

/** How long a browser may take to close by itself before it is killed. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** Pause after the first failed launch; it doubles with each further one, up to {@link LAUNCH_BACKOFF_MAX_MS}. */
export const LAUNCH_BACKOFF_MS = 100;

/** A service whose browsers cannot be started looks again this often, for ever. */
export const LAUNCH_BACKOFF_MAX_MS = 30_000;

/** The longest pause while somebody waits: a machine whose disk was freed renders again at the next request. */
export const URGENT_BACKOFF_MAX_MS = 1_000;

/** A browser that dies twice on the same input dies of the input. */
export const ATTEMPTS_PER_RENDER = 2;

/** What `Retry-After` may say: below a second it cannot, above a minute it would be a guess. */
export const RETRY_AFTER_MAX_SECONDS = 60;

/** How many addresses a log line names of those that a document asked for in vain: enough to find them in its template. */
export const LOGGED_ADDRESSES = 10;

/**
 * A success this recent proves that rendering works. Less than the 5 s between two probes, so that every probe of an idle
 * service draws (10 ms), and the second after a break tells at the latest.
 */
export const PROOF_AGE_MS = 4_000;

/** What the first picture may take at start, Chromium's unpacking included (1 s measured). */
export const WARM_UP_TIMEOUT_MS = 60_000;

/** How long a readiness probe waits for its canary. Probes themselves give up after 10 s at most. */
export const CANARY_TIMEOUT_MS = 5_000;

/** How long a stopping server waits for renders that were accepted; the rest of its 30 s is for closing. */
export const DRAIN_TIMEOUT_MS = 20_000;

/** Leftovers of another machine or container are judged by age, because its processes cannot be seen from here. */
export const FOREIGN_LEFTOVER_AGE_MS = 10 * 60_000;

/** How often a live worker marks its folder, well below {@link FOREIGN_LEFTOVER_AGE_MS}. */
export const WORKER_MARK_INTERVAL_MS = 60_000;

/**
 * Room in RAM from which on the processes of a browser share their memory there, which makes small pictures 12 % faster: a
 * picture of 4096 by 4096 takes 0.2 GB while it is drawn. Containers usually have 64 MB.
 */
export const SHARED_MEMORY_BYTES = 512 * 1024 * 1024;

/** What must be left where the processes of a browser share their memory: a picture of 4096 by 4096 is 67 MB. */
export const FREE_DISK_BYTES = 96 * 1024 * 1024;

/** Data longer than this is never kept or shared: hashing it would hold the event loop, and nobody sends a photograph twice. */
export const KEYED_DATA_CHARS = 64 * 1024;

/** A remote browser's largest message is a screenshot: 4096 by 4096 pixels of noise are 67 MB, and 90 MB in base64. */
export const REMOTE_MESSAGE_BYTES = 128 * 1024 * 1024;

/** What a remote browser says of itself is a few hundred bytes. */
export const REMOTE_DESCRIPTION_BYTES = 64 * 1024;

/** Pictures for the service's own pages that are made at once: while one is drawn the last is made small. They never fill the queue. */
export const CONCURRENT_DISPLAY_PICTURES = 2;

/** How often a picture for a page looks whether the queue has room for it, in milliseconds: about what a picture takes. */
export const DISPLAY_ROOM_POLL_MS = 15;

/** Pictures for pages in memory, in bytes: four hundred thumbnails of 640 pixels, each 15 to 70 kB. */
export const DISPLAY_MEMORY_BYTES = 16_000_000;

/** The same on disk: every variant of 300 templates in the widths that browsers ask for. */
export const DISPLAY_DISK_BYTES = 96_000_000;

/** What clearing leaves of that, so that it is not needed again with the next picture. */
export const DISPLAY_DISK_KEPT_SHARE = 0.8;
