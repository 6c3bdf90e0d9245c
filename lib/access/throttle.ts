import { eq, like, or, type SQL, sql } from "drizzle-orm";
import { type Executor, query } from "#lib/db/database.ts";
import type { Lane } from "#lib/db/lanes.ts";
import { throttle, throttleSecret } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { type Allowance, CLOCK_CORRECTION_SECONDS, LOGIN_PER_ADDRESS, THROTTLE_BUCKETS } from "./access-limits.ts";
import { fullBuckets } from "./login/full-buckets.ts";

/** One attempt. */
export type Attempt = {
  allowance: Allowance;
  /** The account, address or device that it is counted for. */
  name: string;
  /** How many attempts of the allowance are kept for others. */
  reserve?: number;
  /** The account whose {@link clearAttempts} clears it. */
  account?: string;
};

/**
 * The number of buckets is fixed, which bounds the size of the table. Two names may share a bucket, but nobody can choose a name
 * that shares the bucket of another: the hash has a key, which only the database knows. In a select of its own, the number is
 * computed once for a statement: once for each row, it took ten seconds in the table that a long flood of logins leaves.
 */
function bucketNumber(name: string): SQL {
  const keyed = sql`(select ${throttleSecret.secret}::text from ${throttleSecret}) || ' ' || ${name}::text`;
  const word = sql`('x' || left(encode(sha256(convert_to(${keyed}, 'UTF8')), 'hex'), 8))::bit(32)::int8`;
  return sql`(select (${word} % ${sql.raw(String(THROTTLE_BUCKETS))})::text)`;
}

function bucketOf({ allowance, name }: Attempt): SQL {
  return sql`${allowance.kind}::text || ':' || ${bucketNumber(name)}`;
}

function accountOf({ account }: Attempt): SQL {
  return account === undefined ? sql`null` : bucketNumber(account);
}

const seconds = (value: number) => sql`${value} * interval '1 second'`;

/** The seconds after which one attempt comes back. */
const spacingSeconds = ({ attempts, windowSeconds }: Allowance) => windowSeconds / attempts;

/**
 * The time at which a bucket is empty, or now if it is empty already. That time is at most one window ahead, unless the clock of the
 * database was ahead and has been set back: attempts would be refused for as long as it was ahead. So a bucket that is further ahead
 * counts as empty. A correction by {@link CLOCK_CORRECTION_SECONDS}, or by one window if that is shorter, empties no full bucket.
 */
function emptyAtIn({ windowSeconds }: Allowance): SQL {
  const mostSeconds = windowSeconds + Math.min(windowSeconds, CLOCK_CORRECTION_SECONDS);
  const isFromWrongClock = sql`bucket.empty_at > clock_timestamp() + ${seconds(mostSeconds)}`;
  return sql`case when ${isFromWrongClock} then clock_timestamp() else greatest(bucket.empty_at, clock_timestamp()) end`;
}

/**
 * Takes one attempt, by the generic cell rate algorithm (ITU-T I.371) in one statement on the database's clock. Concurrent
 * attempts wait for each other's row lock, so that no more are admitted than there are slots.
 *
 * The clock is `clock_timestamp()` and not `now()`: a statement that began first may get the lock second, and `now()` would
 * make the bucket look overfull.
 *
 * The final select reads the row as it was before the statement. When concurrent attempts filled the bucket, the wait cannot
 * be computed from that row, and the longest possible wait is returned.
 * A bucket that was found full is remembered for a moment, and refuses without a query.
 * @throws AppError `rate_limited` with Retry-After when no attempt is left
 */
export async function takeAttempt(attempt: Attempt): Promise<void> {
  const { allowance } = attempt;
  const slot = seconds(spacingSeconds(allowance));
  const emptyAt = emptyAtIn(allowance);
  const window = seconds(allowance.windowSeconds - (attempt.reserve ?? 0) * spacingSeconds(allowance));
  const known = `${allowance.kind} ${attempt.reserve ?? 0} ${attempt.name}`;
  const waitSeconds = fullBuckets.get().waitSeconds(known);
  if (waitSeconds !== undefined) throw rateLimited(waitSeconds);
  const rows = await query(
    (db) =>
      db.execute<{ taken: boolean; wait: number | null }>(sql`
      with named as (select ${bucketOf(attempt)} as key),
      taken as (
        insert into ${throttle} as bucket (key, empty_at, account)
        select key, clock_timestamp() + ${slot}, ${accountOf(attempt)} from named
        on conflict (key) do update
        set empty_at = ${emptyAt} + ${slot}, account = excluded.account
        where ${emptyAt} + ${slot} <= clock_timestamp() + ${window}
        returning 1
      )
      select exists (select from taken) as taken,
        (select extract(epoch from empty_at + ${slot} - ${window} - clock_timestamp())::float8 from ${throttle} where key = (select key from named)) as wait`),
    allowance.lane,
  );
  const [row] = rows;
  if (row?.taken) return;
  const wait = row?.wait && row.wait > 0 ? row.wait : spacingSeconds(allowance);
  fullBuckets.get().add(known, wait);
  throw rateLimited(wait);
}

function rateLimited(wait: number): AppError {
  return new AppError("rate_limited", "Too many attempts. Please wait a little and try again.", {
    headers: { "Retry-After": String(Math.ceil(wait)) },
  });
}

/**
 * Counts an attempt that is never refused. A full bucket stays full.
 * @returns the number of attempts in the bucket, with this one
 * @throws AppError `unavailable`
 */
export async function countAttempt(attempt: Attempt): Promise<number> {
  const { allowance } = attempt;
  const slot = seconds(spacingSeconds(allowance));
  const rows = await query(
    (db) =>
      db.execute<{ level: number }>(sql`
      insert into ${throttle} as bucket (key, empty_at, account)
      values (${bucketOf(attempt)}, clock_timestamp() + ${slot}, ${accountOf(attempt)})
      on conflict (key) do update set account = excluded.account, empty_at = least(
        greatest(bucket.empty_at, clock_timestamp()) + ${slot}, clock_timestamp() + ${seconds(allowance.windowSeconds)})
      returning extract(epoch from empty_at - clock_timestamp())::float8 as level`),
    allowance.lane,
  );
  const level = Math.ceil((rows[0]?.level ?? 0) / spacingSeconds(allowance));
  return Math.min(Math.max(level, 1), allowance.attempts);
}

/**
 * Counts the attempts of one bucket in another one too, which then is at least as full. The row of the first stays locked until
 * the transaction ends, so that no attempt is counted there meanwhile.
 */
export async function carryAttempts(tx: Executor, from: Attempt, to: Attempt): Promise<void> {
  const [locked] = await tx.execute<{ level: string }>(sql`
    insert into ${throttle} as bucket (key, empty_at, account)
    values (${bucketOf(from)}, clock_timestamp(), ${accountOf(from)})
    on conflict (key) do update set empty_at = bucket.empty_at
    returning empty_at::text as level`);
  await tx.execute(sql`
    insert into ${throttle} as bucket (key, empty_at, account)
    values (${bucketOf(to)}, ${locked?.level}::timestamptz, ${accountOf(to)})
    on conflict (key) do update set empty_at = greatest(bucket.empty_at, excluded.empty_at), account = excluded.account`);
}

/**
 * Clears every bucket of an account, and those of addresses that sign in. Their names are compared with a literal, so that PostgreSQL can
 * use the index of these buckets alone.
 * @throws AppError `unavailable`
 */
export async function clearAttempts(tx: Executor, account: string): Promise<void> {
  const ofAddresses = like(throttle.key, sql.raw(`'${LOGIN_PER_ADDRESS.kind}:%'`));
  const belongs = or(eq(throttle.account, bucketNumber(account)), ofAddresses);
  await tx.delete(throttle).where(belongs);
  fullBuckets.get().clear();
}

/**
 * Deletes the row of a bucket that is empty afterwards. A row that stays lies in the future once the clock of the database is set back, and
 * its bucket would look full, although each login had the right password. `MERGE` updates or deletes in one step: of two statements, each
 * could miss a row that another attempt changes at the same moment.
 */
async function giveBack(attempt: Attempt, lane: Lane = attempt.allowance.lane): Promise<void> {
  const emptyAt = sql`bucket.empty_at - ${seconds(spacingSeconds(attempt.allowance))}`;
  await query(
    (db) =>
      db.execute(sql`
      merge into ${throttle} as bucket using (select ${bucketOf(attempt)} as key) as named on bucket.key = named.key
      when matched and ${emptyAt} <= clock_timestamp() then delete
      when matched then update set empty_at = ${emptyAt}`),
    lane,
  );
}

/**
 * Gives attempts back. Never throws, because the operation that they were counted for is already done. The first failure ends it:
 * each further one would wait as long for a database that does not answer.
 */
export async function refundAttempts(attempts: Attempt[], lane?: Lane): Promise<void> {
  try {
    // One after another: a login that holds several connections would keep them from others.
    for (const attempt of attempts) await giveBack(attempt, lane);
  } catch (error) {
    log().warn({ err: error }, "An attempt could not be given back.");
  }
}
