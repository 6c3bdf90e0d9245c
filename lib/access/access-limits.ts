import type { Lane } from "#lib/db/lanes.ts";
import { LISTED_TOKENS_MAX } from "#lib/schemas/token.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Lifetime of a session and of its cookie. */
export const SESSION_LIFETIME_SECONDS = 30 * DAY_SECONDS;

/** Lifetime of a device cookie since its last login. Browsers keep a cookie for 400 days at most. */
export const DEVICE_LIFETIME_SECONDS = 180 * DAY_SECONDS;

/** How many devices an account keeps: more than one person's browsers. Programs that sign in without cookies add one each time. */
export const DEVICES_PER_USER = 32;

/** How many unconfirmed logins from unknown browsers an account keeps: more than anyone looks through. */
export const UNKNOWN_LOGINS_PER_USER = 20;

/** How long an unconfirmed login from an unknown browser is shown, or for as long as the audit trail is kept, if that is shorter. */
export const UNKNOWN_LOGIN_DAYS = 90;

/** How far a session's `last_seen_at` may lag, so that not every request writes a row. */
export const SESSION_SEEN_INTERVAL_SECONDS = 60;

/** How many sessions a user may have. Another one ends the least recently seen. It keeps the response of their list below 300 kB. */
export const SESSIONS_KEPT = 500;

/** Default page size of the lists of users and of audit entries. */
export const ROWS_PER_PAGE = 50;

/** How far a token's `lastUsedAt` may lag, so that a burst of renders does not write a row each. */
export const TOKEN_USED_INTERVAL_SECONDS = 30;

/** How long a finished render waits for the write of `lastUsedAt`: longer than a healthy database needs, too short to notice. */
export const TOKEN_USED_WAIT_MS = 250;

/** OWASP's first choice for argon2id: 46 MiB, one pass, one lane. Measured at 18 ms. */
export const ARGON2 = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

/**
 * How many hashes run at once, on a machine with so many cores. Each takes 46 MiB and one core, and one core is left to everyone
 * else: on two cores, two hashes made the requests of others take three times as long during a flood of logins.
 */
export function hashesAtOnce(cores: number): number {
  return Math.max(1, Math.min(2, cores - 1));
}

/** About two seconds of hashing on a slow machine. Further requests are refused at once. */
export const HASHES_WAITING = 100;

/** `Retry-After` while {@link HASHES_WAITING} are waiting. */
export const HASHES_RETRY_SECONDS = 3;

/** A rate limit: how many attempts fit into a window. They come back one by one, evenly over the window. */
export type Allowance = {
  kind: string;
  attempts: number;
  windowSeconds: number;
  /** The lane in which its queries wait for a connection. */
  lane: Lane;
};

/** The most that a clock is usually corrected by. A clock with another time zone is off by half an hour or more. */
export const CLOCK_CORRECTION_SECONDS = 15 * MINUTE_SECONDS;

/** The tries of a browser that has signed in to the account before. Enough for a user who tries all their passwords. */
export const LOGIN_PER_DEVICE: Allowance = {
  kind: "login-device",
  attempts: 10,
  windowSeconds: 15 * MINUTE_SECONDS,
  lane: "owners",
};

/** The tries at one account from one address. Too few to guess a password. */
export const LOGIN_PER_PAIR: Allowance = {
  kind: "login-pair",
  attempts: 10,
  windowSeconds: 15 * MINUTE_SECONDS,
  lane: "logins",
};

/**
 * The tries at one account from all addresses and unknown browsers together: 75, and one more every three minutes.
 * In any hour that is at most 95, too few to guess a password of 12 characters.
 */
export const LOGIN_PER_ACCOUNT: Allowance = {
  kind: "login-account",
  attempts: 75,
  windowSeconds: 75 * 3 * MINUTE_SECONDS,
  lane: "logins",
};

/**
 * How many tries of {@link LOGIN_PER_ACCOUNT} an address has to leave to addresses that have tried less often: at its first,
 * its second, its third and any later try. An attacker with 50 addresses leaves at least five first tries, in whatever order
 * they come. While the attack goes on, its addresses take only what is above the last reserve, so that an owner at another
 * address has three tries.
 */
export const LOGIN_RESERVES = [0, 50, 50, 62] as const;

/**
 * How long an address counts as having tried an account, refused tries included: the number of its last try goes back by one
 * every 8 hours. A bucket that is never full.
 */
export const LOGIN_TRIES_SEEN: Allowance = {
  kind: "login-seen",
  attempts: LOGIN_RESERVES.length,
  windowSeconds: LOGIN_RESERVES.length * 8 * HOUR_SECONDS,
  lane: "logins",
};

/** The tries from one address at all accounts: many, because a whole office can share one address. */
export const LOGIN_PER_ADDRESS: Allowance = {
  kind: "login-address",
  attempts: 100,
  windowSeconds: 15 * MINUTE_SECONDS,
  lane: "logins",
};

/**
 * The tries from all subnets of an IPv6 /48, which one client may have: each failed one is a row of the audit trail, and they could fill a
 * disk. The kind begins as that of {@link LOGIN_PER_ADDRESS}, so that both are cleared together.
 */
export const LOGIN_PER_NETWORK: Allowance = { ...LOGIN_PER_ADDRESS, kind: "login-address:network", attempts: 400 };

/** The same as for a login, so that a stolen session does not help to guess the password. */
export const PASSWORD_CHANGE_PER_USER: Allowance = {
  kind: "password-change",
  attempts: 10,
  windowSeconds: 15 * MINUTE_SECONDS,
  lane: "requests",
};

/** Each change of an account is a row of the audit trail, which is kept for long. A client in a loop could write 500 a second. */
export const ACCOUNT_CHANGES_PER_USER: Allowance = {
  kind: "account-change",
  attempts: 3_600,
  windowSeconds: HOUR_SECONDS,
  lane: "requests",
};

/** Logins with the right password, for the same reason. A script that signs in for each of its requests does not reach it. */
export const SESSIONS_PER_USER: Allowance = {
  kind: "session-creation",
  attempts: 3_600,
  windowSeconds: HOUR_SECONDS,
  lane: "owners",
};

/** Tokens are never deleted. Without this limit, a client in a loop could fill the table. */
export const TOKENS_PER_USER: Allowance = {
  kind: "token-creation",
  attempts: 100,
  windowSeconds: HOUR_SECONDS,
  lane: "requests",
};

/** A list of more tokens than this is a long one: to read it takes the embedded database more than 20 ms. */
export const LONG_LIST_TOKENS = LISTED_TOKENS_MAX;

/** How many tokens of a long list one query reads. */
export const LONG_LIST_PART_TOKENS = 1_000;

/**
 * How many rows of usage one query reads, in about 20 ms of the embedded database. A user with more has a long list. A token has a row for each
 * template and day, so that 500 tokens can have 465,000 rows. To read them in one query took three seconds.
 */
export const USAGE_PART_ROWS = 5_000;

/** How many tokens one usage query reads when a request selects some. That is about 5,000 rows with 31 templates. */
export const USAGE_PART_TOKENS = 5;

/** How many logins of one address, or IPv6 /48, may run at once, before any query: more than an office types in the same moment. */
export const LOGINS_AT_ONCE_PER_ADDRESS = 16;

/** How many logins of one known browser may run at once: a person and a reload. */
export const LOGINS_AT_ONCE_PER_DEVICE = 2;

/** How many logins may run at once: what two hashes at a time verify within half a second. */
export const LOGINS_AT_ONCE = 48;

/** How many of these places an address leaves free for each login that it runs or that failed lately: twelve addresses take 42. */
export const LOGIN_PLACES_LEFT = 2;
/** How long a failed login counts for that. */
export const LOGIN_FAILED_MS = 30_000;

/** `Retry-After` beyond {@link LOGINS_AT_ONCE} and {@link LOGINS_AT_ONCE_PER_ADDRESS}. */
export const LOGIN_RETRY_SECONDS = 1;

/** How many full buckets a process remembers: 1 MB. */
export const FULL_BUCKETS_KEPT = 10_000;

/**
 * How long a full bucket is remembered at most: `npm run users -- unlock` empties buckets in another process, and takes effect within
 * this time. A flood then costs the database one query per address and this time.
 */
export const FULL_BUCKET_MS = 2_000;

/** The most buckets of each kind, however many names are tried. 2^18 rows take about 25 MB. */
export const THROTTLE_BUCKETS = 2 ** 18;

/** How long counted renders wait to be written together, so that a server that is killed loses less than a second of them. */
export const USAGE_WRITE_AFTER_MS = 500;

/** Pause before counts are written again that could not be written. */
export const USAGE_RETRY_MS = 5_000;

/** For how long a server that stops begins further attempts to write counts. One takes two seconds at most, and PostgreSQL may be starting. */
export const USAGE_STOP_MS = 1_500;
/** The pause between two of them. */
export const USAGE_STOP_PAUSE_MS = 200;

/** How many distinct counts (caller, template and day) are held in memory. Further renders are not counted, with one line in the log. */
export const USAGE_PENDING = 10_000;

/** How long usage is kept: enough to compare a year with the previous one. */
export const USAGE_DAYS = 400;

/** How many days of usage are shown, today included. */
export const USAGE_DAYS_SHOWN = 30;

/** How often expired rows are deleted, and the pause after a time when that failed. */
export const CLEANUP_INTERVAL_MS = HOUR_SECONDS * 1_000;
export const CLEANUP_RETRY_MS = 5 * MINUTE_SECONDS * 1_000;

/** Rows that one statement deletes, of the clean-up and of users with many rows, so that none takes long. */
export const DELETE_BATCH_ROWS = 5_000;

/** How many tokens of a user with many rows are deleted in one statement. PostgreSQL looks for the usage of each one, also of deleted usage. */
export const DELETE_PART_TOKENS = 20;

/**
 * How old an audit event is when it is sealed at the earliest: far longer than any transaction takes, so that none is committed into a
 * range that is sealed already. It also covers the clocks of two databases between which a service switches.
 */
export const AUDIT_SEAL_AFTER_SECONDS = 10 * MINUTE_SECONDS;

/** Audit events in one sealed batch at most: 0.5 MB, which is read and hashed within 20 ms. */
export const AUDIT_SEAL_ROWS = 1_000;

/** Audit events that an export reads at once. Between two reads it holds no connection. */
export const AUDIT_EXPORT_ROWS = 1_000;

/** Pause before indexes are built again that could not be built. */
export const INDEX_RETRY_MS = MINUTE_SECONDS * 1_000;

/** Pause between attempts to start while the database does not answer. */
export const START_RETRY_MS = 1_000;
