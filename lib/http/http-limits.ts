/** The largest body of the render route, in bytes: part of the fixed contract. */
export const RENDER_BODY_LIMIT_BYTES = 12_000_000;

/** The largest body of every other route, in bytes: part of the fixed contract, and far more than any of them needs. */
export const BODY_LIMIT_BYTES = 65_536;

/**
 * How many bytes of bodies may be in memory together, in every state from their first byte to their answer. A body costs about
 * four times its length on its way through text, document and browser: this is 1 GB at worst, and twenty of the largest at once.
 */
export const BODY_BUDGET_BYTES = 256_000_000;

/** The part of {@link BODY_BUDGET_BYTES} that only bodies up to {@link BODY_LIMIT_BYTES} may use: large ones, sent slowly, must not shut out all others. */
export const BODY_BUDGET_RESERVE_BYTES = 32_000_000;

/** What a body that found no room is told to wait, in seconds: the largest picture is drawn and answered within two. */
export const BODY_RETRY_SECONDS = 2;

/** How long a body may say nothing, in milliseconds. A phone that changes networks is silent for a few seconds, not for twenty. */
export const BODY_IDLE_MS = 20_000;

/** How long a whole body may take, in milliseconds. 12 MB in a minute is 1.6 Mbit/s, less than any link that such a body makes sense on. */
export const BODY_WHOLE_MS = 60_000;

/** When to ask again for a page that cannot be shown, in seconds, where nothing else is known: somebody has to mend something first. */
export const PAGE_RETRY_SECONDS = 30;

/** How deep arrays and objects may nest. Template data is an object of fields, at most lists of objects: four levels. */
export const JSON_DEPTH_LIMIT = 32;

/** How many keys and elements a body may hold. A hundred times what the largest template uses, and parsed in about 10 ms. */
export const JSON_NODE_LIMIT = 20_000;

/** The longest number in characters. No double needs more than 770 significant digits; converting megabytes of them would hold the loop. */
export const JSON_NUMBER_CHARS = 1_000;

/** How many faults one answer names: enough to mend a body by hand, and an answer that stays small whatever was sent. */
export const ISSUE_LIMIT = 100;

/** How much of a key an answer quotes, in characters, for the same reason. */
export const QUOTED_CHARS = 100;

/** How many warnings the header of a picture names. Who wants all of them asks for strict handling. */
export const WARNING_LIMIT = 20;

/** How long that header may be, in bytes: proxies hold all headers of an answer in one page of 4 KiB, and the others take half a KiB. */
export const WARNING_HEADER_BYTES = 2_048;

/**
 * How many parameters an address and how many cookies a request may have. Next looks each of them up among all others: three
 * thousand, which fit into the largest head, hold the event loop for seconds, and 200 for 10 ms. Browsers keep 180 cookies of a site.
 */
export const PARAMETER_LIMIT = 200;
export const COOKIE_LIMIT = 200;

/** The longest request path that is worth a log line's space, in characters. */
export const LOGGED_PATH_CHARS = 200;

/** How much of a browser's own name is kept, in characters: it is told apart by far less. */
export const USER_AGENT_CHARS = 200;

/** How long the head of a request may take, in milliseconds. It is one packet for every real client. */
export const HEADERS_TIMEOUT_MS = 15_000;

/** The backstop of {@link BODY_WHOLE_MS} for requests whose body no handler reads, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 75_000;

/** How often slow requests are looked for, in milliseconds; it is what the two limits above may be exceeded by. */
export const TIMEOUT_CHECK_MS = 5_000;

/** How long an idle connection is kept, in milliseconds: longer than the 60 s of common proxies, so that they close first and never hit a closed one. */
export const KEEP_ALIVE_MS = 65_000;

/** How many connections may be open. Each costs about 20 kB; the renders behind them are bounded by their own queue. */
export const CONNECTION_LIMIT = 4_000;

/** How much of an unwanted body is thrown away after the answer, in bytes and in milliseconds, so that a client which
 * sends everything before it reads still gets the answer instead of a reset connection. */
export const LINGER_BYTES = 16_000_000;
export const LINGER_MS = 2_000;

/** How long running requests may go on after a signal to stop, in milliseconds. Orchestrators kill after 30 s; the browser needs the rest. */
export const DRAIN_MS = 25_000;
