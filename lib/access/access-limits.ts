const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How long a session lives, and the cookie that holds it. */
export const SESSION_LIFETIME_SECONDS = 30 * DAY_SECONDS;

/** How far `last_seen_at` of a session may lag, so that reading pages does not write a row each. */
export const SESSION_SEEN_INTERVAL_SECONDS = 60;

/** How many of their sessions a user is shown, those seen last: nobody signs in on more, and an answer stays below 300 kB. */
export const SESSIONS_SHOWN = 500;

/** How many users make a page, and how many entries of the audit trail, unless another number is asked for. */
export const ROWS_PER_PAGE = 50;

/** How far `lastUsedAt` of a token may lag, so that a burst of renders does not write a row each. */
export const TOKEN_USED_INTERVAL_SECONDS = 30;

/** How long a finished render waits for `lastUsedAt` to be written: longer than a healthy database needs, too short to notice. */
export const TOKEN_USED_WAIT_MS = 250;

/** OWASP's first choice for argon2id: 46 MiB, one pass, one lane. Measured at 18 ms. */
export const ARGON2 = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

/** Each takes 46 MiB and a core; more at once would only take them from the renders. */
export const HASHES_AT_ONCE = 2;

/** About two seconds of hashing on a slow machine: who comes later is better told at once. */
export const HASHES_WAITING = 100;

/** When it is worth asking again, once {@link HASHES_WAITING} are waiting. */
export const HASHES_RETRY_SECONDS = 3;

/** How many attempts fit in how long. They come back one by one, evenly over the window. */
export type Allowance = { kind: string; attempts: number; windowSeconds: number };

/** Few enough that guessing is hopeless, enough for someone who tries all their passwords. */
export const LOGIN_PER_ACCOUNT: Allowance = { kind: "login-account", attempts: 10, windowSeconds: 15 * MINUTE_SECONDS };

/** Ten times as much, because an office is one address. */
export const LOGIN_PER_ADDRESS: Allowance = {
  kind: "login-address",
  attempts: 100,
  windowSeconds: 15 * MINUTE_SECONDS,
};

/** As for a login: who has found an open session is to learn the password no faster. */
export const PASSWORD_CHANGE_PER_USER: Allowance = {
  kind: "password-change",
  attempts: 10,
  windowSeconds: 15 * MINUTE_SECONDS,
};

/** Tokens stay listed for good, so nobody is to fill the table by a loop. */
export const TOKENS_PER_USER: Allowance = { kind: "token-creation", attempts: 100, windowSeconds: HOUR_SECONDS };

/** Of each kind there are this many buckets at most, however many names are tried: 2^18 rows are some 25 MB. */
export const THROTTLE_BUCKETS = 2 ** 18;

/** How often counted renders are written. */
export const USAGE_FLUSH_INTERVAL_MS = 5_000;

/** Distinct caller, template and day that wait to be written at once; further ones are not counted, and the log says so. */
export const USAGE_PENDING = 10_000;

/** Long enough to compare a year with the one before. */
export const USAGE_DAYS = 400;

/** How much of it is shown: a month, today included. */
export const USAGE_DAYS_SHOWN = 30;

/** How often what has expired is deleted. */
export const HOUSEKEEPING_INTERVAL_MS = HOUR_SECONDS * 1_000;

/** Rows per statement of housekeeping, so that none holds locks for long. */
export const HOUSEKEEPING_ROWS = 5_000;

/** How often a start tries again while the database is away. */
export const START_RETRY_MS = 1_000;
