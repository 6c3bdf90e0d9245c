/** The largest body of the render route, in bytes: part of the fixed contract. */
export const RENDER_BODY_LIMIT_BYTES = 12_000_000;

/** The largest body of every other route, in bytes: part of the fixed contract, and far more than any of them needs. */
export const BODY_LIMIT_BYTES = 65_536;

/** The share of the memory for bodies that is kept for those up to {@link BODY_LIMIT_BYTES}, which large slow bodies must not lock out. */
export const BODY_BUDGET_RESERVE_SHARE = 1 / 8;

/** The `Retry-After` of a body that exceeds the budget, in seconds: the largest picture is rendered within two. */
export const BODY_RETRY_SECONDS = 2;

/**
 * How many chunks a body may arrive in, whatever its size, and how many bytes each further one has to bring on average. A chunk
 * costs 2 to 4 µs of processor time however small it is, and half of that is spent before the request has its turn. With 10,000 chunks of a
 * byte on each of hundreds of connections, nobody got an answer for half a minute.
 */
export const BODY_CHUNKS = 1_000;
export const BODY_CHUNK_BYTES = 64;

/** How long a body may stall, in milliseconds. A phone that changes networks stalls for a few seconds, not for twenty. */
export const BODY_IDLE_MS = 20_000;

/** How long a whole body may take, in milliseconds. 12 MB in a minute is 1.6 Mbit/s. */
export const BODY_WHOLE_MS = 60_000;

/** The default `Retry-After` of a page that is unavailable, in seconds: an operator has to fix the cause. */
export const PAGE_RETRY_SECONDS = 30;

/** How deep arrays and objects may nest. Template data is an object of fields, at most lists of objects: four levels. */
export const JSON_DEPTH_LIMIT = 32;

/** How many keys and elements a body may hold: a hundred times as many as the largest template uses, parsed in about 10 ms. */
export const JSON_NODE_LIMIT = 20_000;

/** The same for bodies up to {@link BODY_LIMIT_BYTES}, which have a few keys. Logins need no credentials, so each must be read quickly. */
export const SMALL_JSON_NODE_LIMIT = 500;

/** The longest number in characters. No double needs more than 770 significant digits, and converting megabytes would block the event loop. */
export const JSON_NUMBER_CHARS = 1_000;

/** How many faults one response lists: enough to fix a body by hand, and a bound on the size of the response. */
export const ISSUE_LIMIT = 100;

/** How much of a key a response quotes, in characters. */
export const QUOTED_CHARS = 100;

/** How many warnings the header of a picture lists. `Prefer: handling=strict` lists all of them. */
export const WARNING_LIMIT = 20;

/** The longest value of that header, in bytes: proxies buffer all headers in 4 KiB, of which the others take half a KiB. */
export const WARNING_HEADER_BYTES = 2_048;

/**
 * How many query parameters and cookies a request may have. Next compares each with all others: the three thousand that fit
 * into the largest head block the event loop for seconds, 200 for 10 ms. Browsers keep 180 cookies for a site.
 */
export const PARAMETER_LIMIT = 200;
export const COOKIE_LIMIT = 200;

/** How many headers a request may have. Browsers and proxies send fifty. Each is read several times before a request gets its turn. */
export const HEADER_LIMIT = 200;

/** How much of a request's path is logged, in characters. */
export const LOGGED_PATH_CHARS = 200;

/** How much of `User-Agent` is stored, in characters. Browser and system stand near its start. */
export const USER_AGENT_CHARS = 200;

/** How long the head of a request may take, in milliseconds. Real clients send it in one packet. */
export const HEADERS_TIMEOUT_MS = 15_000;

/** How long a request may take when no handler reads its body, in milliseconds: longer than {@link BODY_WHOLE_MS}. */
export const REQUEST_TIMEOUT_MS = 75_000;

/** How long a response may stall, in milliseconds, because its client reads nothing: longer than any part of a page takes. */
export const RESPONSE_IDLE_MS = 60_000;

/** How long a client may read a response that waits in memory, in milliseconds. 12 MB in five minutes are 0.3 Mbit/s. */
export const RESPONSE_WHOLE_MS = 300_000;

/** Responses below this are not compressed, in bytes: they fit into one packet either way. */
export const UNCOMPRESSED_BYTES = 1_024;

/** The largest response that is held in memory to be compressed, in bytes: the list of thousands of users, or of templates. */
export const COMPRESSIBLE_LIMIT_BYTES = 4_000_000;

/** How often slow requests are looked for, in milliseconds. The two limits above may be exceeded by this. */
export const TIMEOUT_CHECK_MS = 5_000;

/** How long an idle connection is kept, in milliseconds: longer than the 60 s of common proxies, so that they never reuse a closed one. */
export const KEEP_ALIVE_MS = 65_000;

/** How many connections may be open. Each costs about 20 kB; the render queue has its own limit. A new one closes an idle one. */
export const CONNECTION_LIMIT = 4_000;

/**
 * Files that are kept for everything but connections: 30 in an idle service, 90 of the embedded database, ten for each browser, and the
 * images that it fetches.
 */
export const RESERVED_FILES = 150;

/** How many listeners an event of a response may have. About ten parts of the server listen for its end. */
export const RESPONSE_LISTENERS = 20;

/** How many requests of one connection may wait for their responses. Browsers and proxies send one at a time. */
export const PIPELINED_LIMIT = 20;

/**
 * How many bytes the requests of a connection may have together while several of them wait. Their heads count, and bodies that are not
 * read yet. Twenty heads of browsers are as long.
 */
export const PIPELINED_BYTES = 32_768;

/** How many requests may wait to begin. The pages among them take ten milliseconds each, so that the last one waits for ten seconds. */
export const WAITING_REQUESTS = 1_000;

/**
 * How many requests for Next may be in flight at a time. A page is made in many small steps, and each round of the event loop runs a
 * step of every page. With hundreds of pages a round took seconds, and nobody got a response meanwhile.
 */
export const CONCURRENT_REQUESTS = 4;

/** How long a request for a page counts as in flight, in milliseconds. One that takes longer waits for something, and takes no processor time. */
export const PAGE_IN_FLIGHT_MS = 250;

/**
 * The same for every other request, in milliseconds. Only pages are made in many steps. With 250 ms, clients at fifty addresses whose
 * bodies do not arrive, or whose pictures and thumbnails wait for a browser, kept pages waiting for three seconds each.
 */
export const ROUTE_IN_FLIGHT_MS = 25;

/** For how many rounds of the event loop requests wait for connections that are still arriving: the queue of the system has 511. */
export const ARRIVAL_ROUNDS = 512;

/**
 * The rounds between two requests once connections have arrived for {@link ARRIVAL_ROUNDS}. A round takes 10 ms if a request begins in
 * it, and a fraction of 1 ms otherwise, so that a thousand connections a second are accepted and tens of requests begin.
 */
export const LATER_ARRIVAL_ROUNDS = 16;

/** How long a connection counts as new, in milliseconds. Its first request may still be on its way. */
export const NEW_CONNECTION_MS = 1_000;

/** How many connections the system may hand over before those that gave way are closed: its queue has 511. */
export const CONNECTION_MARGIN = 1_000;

/**
 * How long after a login the next one may begin, in milliseconds: 200 a second. Two hashes at a time verify about 100, so only a
 * flood waits, and takes about a tenth of the processor time of the server.
 */
export const LOGIN_SPACING_MS = 5;

/**
 * How much of an unread body is discarded after the response, in bytes and in milliseconds. A client that sends its whole
 * body before it reads would get a reset connection instead of the response.
 */
export const LINGER_BYTES = 16_000_000;
export const LINGER_MS = 2_000;

/**
 * When a client that has closed its writing side is sent interim responses, in milliseconds after that. The second fails where the
 * client is gone and its reset came within a quarter of a second, the last one for distant clients. Go refuses more than five.
 */
export const HALF_CLOSED_PROBES_MS = [0, 250, 2_000];

/** How long a request of a half-closed connection waits before it may begin, in milliseconds. The second probe shows by then if the client is gone. */
export const HALF_CLOSED_KNOWN_MS = 300;

/** How long a stopping server continues to read before and after it closes its listener, in milliseconds: a request may be arriving. */
export const READ_ON_MS = 50;

/** How long a stopping server accepts connections that wait, in milliseconds: a flood brings new ones all the time. */
export const LAST_CONNECTIONS_MS = 500;

/** How long the responses to requests that a stopping server refuses may take, in milliseconds. */
export const LAST_RESPONSES_MS = 1_000;

/**
 * How long a stopping server may take beyond its delay and the deadline of a render, in milliseconds: the last responses and the end
 * of the browsers, which take a second each at most, and the last counts of renders, which take three.
 */
export const STOP_MARGIN_MS = 5_000;
