/** How often the memory of a browser is sampled during a render: it grows by 1 GB a second at most, and a sample takes 0.4 ms. */
export const MEMORY_SAMPLE_MS = 100;

/**
 * How often a browser that answers nothing is looked at while it draws or its page becomes blank, and after how many looks in a row it
 * counts as hung: a second, which no browser idles that has something to draw. A look takes 0.3 ms, and 2 ms where it has to read
 * every thread.
 */
export const HANG_SAMPLE_MS = 100;
export const HUNG_SAMPLES = 10;

/** A browser that holds more than this share of its memory limit after a render is replaced before the next one. */
export const WORN_MEMORY_SHARE = 0.5;

/**
 * Renders of one caller that are prepared ahead, beyond one for each browser, so that no browser waits for a document. As many of each
 * other kind are prepared beside them, which are explanations and what fetches images, and no more: fetched images take memory until
 * their pictures are drawn.
 */
export const PREPARED_AHEAD = 1;

/**
 * Renders of one caller that are prepared beyond those, one for each sender that has none prepared. So images that do not arrive for one
 * sender do not delay the others for as long.
 */
export const SENDERS_AHEAD = 8;

/** What a render is estimated to take in a browser, until its real time is known: a part for each, and a part for each pixel. */
export const DRAW_MS = 5;
export const DRAW_MS_PER_PIXEL = 7e-6;

/** The time constant, in milliseconds, with which the recent use of browsers decays: after this time, a use counts a third (1/e). */
export const RECENT_USE_MS = 10_000;

/** How many callers' recent use is remembered. */
export const RECENT_CALLERS_KEPT = 10_000;

/**
 * A render that works on a browser for longer than this is a long one, in milliseconds: a picture of 4096 × 4096 takes 1.5 s on a busy
 * machine. For how long its caller leaves a browser to others from then on, if there are any.
 */
export const LONG_RENDER_MS = 3_000;
export const LONG_CALLER_MS = 600_000;

/** A render that works on the only browser for longer than this, in milliseconds, is followed by a rest, which lasts this long at most. */
export const LONG_ALONE_MS = 1_000;
export const REST_MAX_MS = 10_000;

/** A render is expected to take up to this many times as long as the longest one of its caller: a rest ends early enough for it. */
export const LONGEST_RATIO = 1.2;

/**
 * In a full queue, a render gives up its caller's only place to another caller when its cost is more than this multiple of what the
 * other has used. At one, callers with similar use would displace each other all the time.
 */
export const DISPLACING_USE = 2;

/** From the spawn of a browser to its first blank frame: 0.06 to 0.3 s measured, more with a cold font cache. */
export const LAUNCH_TIMEOUT_MS = 15_000;

/** How long a page may take to become blank after a render before its browser is killed; 3 ms measured. */
export const RECOVERY_TIMEOUT_MS = 500;

/**
 * The same after a finished picture, where the browser is watched: one that hangs is noticed sooner. On a busy machine, 500 ms were not
 * enough. Browsers that worked were killed again and again, and each launch takes seconds there.
 */
export const FINISHED_RECOVERY_TIMEOUT_MS = 5_000;

/**
 * Template documents that one page shows before it is blanked. Each leaves its content policy in the page, which costs
 * nothing for dozens of them; a blank page after every 32nd costs 0.3 ms a picture.
 */
export const DOCUMENTS_PER_PAGE = 32;

/** A page unused for this long is blanked, so that no request's data stays in it. Consecutive requests come sooner. */
export const IDLE_PAGE_MS = 250;

/** How long a browser may take to close before it is killed. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** Pause after the first failed launch; it doubles with each further one, up to {@link LAUNCH_BACKOFF_MAX_MS}. */
export const LAUNCH_BACKOFF_MS = 100;

/** The longest pause between attempts to start a browser. Attempts never end. */
export const LAUNCH_BACKOFF_MAX_MS = 30_000;

/** The longest pause while a render waits: a machine whose disk was freed renders again at the next request. */
export const URGENT_BACKOFF_MAX_MS = 1_000;

/** When two browsers have died on a document, the document is assumed to be the cause. */
export const ATTEMPTS_PER_RENDER = 2;

/** How many hung browsers a render may meet beyond that. The document is not the cause: something has stopped them. */
export const HANGS_PER_RENDER = 4;

/** The longest `Retry-After`: above a minute it would be a guess. */
export const RETRY_AFTER_MAX_SECONDS = 60;

/** How many blocked addresses a log line names: enough to find them in the template. */
export const LOGGED_ADDRESSES = 10;

/**
 * A success this recent proves that rendering works. It is less than the usual 5 s between two readiness requests, so that
 * an idle service renders a probe (10 ms) for each, and the second request after a failure reports it at the latest.
 */
export const RECENT_SUCCESS_MS = 4_000;

/** For how long a success counts while every browser works on a picture and a probe waits: the deadline of renders by default. */
export const LATE_SUCCESS_MS = 30_000;

/** Deadline of the first picture after a start, with Chromium's unpacking (1 s measured). */
export const WARM_UP_TIMEOUT_MS = 60_000;

/** Deadline of a probe's picture. Clients of the readiness check usually give up after 10 s. */
export const PROBE_TIMEOUT_MS = 5_000;

/** How long `/readyz` waits for a probe, in milliseconds, before it answers with what is known. It has half a second in all. */
export const READY_ANSWER_MS = 300;

/** How long a command that stops rendering waits for accepted renders. A server waits for their requests instead. */
export const DRAIN_TIMEOUT_MS = 20_000;

/** Age at which files of another machine or container count as leftovers: its processes are not visible here. */
export const FOREIGN_LEFTOVER_AGE_MS = 10 * 60_000;

/** How often a live worker updates the time of its folder, well below {@link FOREIGN_LEFTOVER_AGE_MS}. */
export const WORKER_MARK_INTERVAL_MS = 60_000;

/** How long an old folder of another container is watched before it is removed: two marks of a live worker. */
export const FOREIGN_WATCH_MS = 2 * WORKER_MARK_INTERVAL_MS + 10_000;

/**
 * With this much room in /dev/shm, the processes of a browser share their memory there, which makes small pictures 12 %
 * faster. A picture of 4096 × 4096 takes 0.2 GB of it; containers usually have 64 MB.
 */
export const SHARED_MEMORY_BYTES = 512 * 1024 * 1024;

/** Free room that a browser needs in its own folder, in bytes: its profile and a small picture take 15 MB. */
export const BROWSER_DISK_BYTES = 32 * 1024 * 1024;

/**
 * Free room that a picture needs where the processes of a browser share their memory: as many copies of its pixels, of four bytes, and
 * so many bytes in addition. A new browser took 3.25 copies of 4096 × 4096 pixels, and fewer of smaller pictures. It keeps all but one of
 * them for the next picture, which needs only that one if it has the same size.
 */
export const PICTURE_COPIES = 3.25;
export const PICTURE_COPIES_OF_SAME_SIZE = 1;
export const PICTURE_ROOM_BYTES = 4_000_000;

/** Free room that pictures of the service's own pages leave on the disk, in bytes. */
export const FREE_DISK_BYTES = 96 * 1024 * 1024;

/** Requests with more data are never cached or shared: hashing blocks the event loop, and photographs rarely repeat. */
export const KEYED_DATA_CHARS = 64 * 1024;

/** A remote browser's largest message is a screenshot: 4096 × 4096 pixels of noise are 67 MB, and 90 MB in base64. */
export const REMOTE_MESSAGE_BYTES = 128 * 1024 * 1024;

/**
 * How long a connection to a remote browser is idle before the system asks for a sign of life, each time. Networks forget idle
 * connections after four minutes or more, some without telling either side: the next render would wait until its deadline.
 */
export const REMOTE_KEEP_ALIVE_MS = 30_000;

/** Limit of a remote browser's description of itself, which has a few hundred bytes. */
export const REMOTE_DESCRIPTION_BYTES = 64 * 1024;

/** Pictures for the service's own pages that are made at once: one is rendered while the last one is scaled down. */
export const CONCURRENT_DISPLAY_PICTURES = 2;

/** How often a picture for a page checks whether the queue has room for it: about the time of a render. */
export const DISPLAY_ROOM_POLL_MS = 15;

/**
 * How long a picture for a page waits for room. It then takes its turn in the full queue: one caller can keep that full for ever,
 * and two pictures at a time cost requests little.
 */
export const DISPLAY_ROOM_WAIT_MS = 1_000;

/** Memory for pictures of pages: four hundred thumbnails of 640 pixels, each 15 to 70 kB. */
export const DISPLAY_MEMORY_BYTES = 16_000_000;

/** Disk for pictures of pages: every variant of 300 templates in the widths that browsers ask for. */
export const DISPLAY_DISK_BYTES = 96_000_000;

/** Share of the limit that a clean-up leaves, so that the next picture does not cause another. */
export const DISPLAY_DISK_KEPT_SHARE = 0.8;
