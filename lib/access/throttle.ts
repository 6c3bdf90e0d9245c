import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { query } from "#lib/db/database.ts";
import { throttle } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { type Allowance, THROTTLE_BUCKETS } from "./access-limits.ts";

/** One attempt. `name` is the account or address that it is counted for. */
type Attempt = { allowance: Allowance; name: string };

/** The number of buckets is fixed, which bounds the size of the table. Two names may share a bucket. */
function bucketOf({ allowance, name }: Attempt): string {
  return `${allowance.kind}:${createHash("sha256").update(name).digest().readUInt32BE() % THROTTLE_BUCKETS}`;
}

const seconds = (value: number) => sql`${value} * interval '1 second'`;

/** The seconds after which one attempt comes back. */
const spacingSeconds = ({ attempts, windowSeconds }: Allowance) => windowSeconds / attempts;

/**
 * Takes one attempt, by the generic cell rate algorithm (ITU-T I.371) in one statement on the database's clock. Concurrent
 * attempts wait for each other's row lock, so that no more are admitted than there are slots.
 *
 * The clock is `clock_timestamp()` and not `now()`: a statement that began first may get the lock second, and `now()` would
 * make the bucket look overfull.
 *
 * The final select reads the row as it was before the statement. When concurrent attempts filled the bucket, the wait cannot
 * be computed from that row, and the longest possible wait is returned.
 * @throws AppError `rate_limited` with Retry-After when no attempt is left
 */
export async function takeAttempt(attempt: Attempt): Promise<void> {
  const { allowance } = attempt;
  const key = bucketOf(attempt);
  const slot = seconds(spacingSeconds(allowance));
  const window = seconds(allowance.windowSeconds);
  const rows = await query((db) =>
    db.execute<{ taken: boolean; wait: number | null }>(sql`
      with taken as (
        insert into ${throttle} as bucket (key, empty_at) values (${key}, clock_timestamp() + ${slot})
        on conflict (key) do update set empty_at = greatest(bucket.empty_at, clock_timestamp()) + ${slot}
        where greatest(bucket.empty_at, clock_timestamp()) + ${slot} <= clock_timestamp() + ${window}
        returning 1
      )
      select exists (select from taken) as taken,
        (select extract(epoch from empty_at + ${slot} - ${window} - clock_timestamp())::float8 from ${throttle} where key = ${key}) as wait`),
  );
  if (!rows[0]?.taken) throw rateLimited(rows[0]?.wait, spacingSeconds(allowance));
}

function rateLimited(waitSeconds: number | null | undefined, longestSeconds: number): AppError {
  const wait = waitSeconds && waitSeconds > 0 ? waitSeconds : longestSeconds;
  return new AppError("rate_limited", "Too many attempts. Please wait a little and try again.", {
    headers: { "Retry-After": String(Math.ceil(wait)) },
  });
}

/** Gives an attempt back. Never throws, because the operation that it was counted for is already done. */
export async function refundAttempt(attempt: Attempt): Promise<void> {
  const slot = seconds(spacingSeconds(attempt.allowance));
  const refund = query((db) =>
    db.execute(sql`update ${throttle} set empty_at = empty_at - ${slot} where key = ${bucketOf(attempt)}`),
  );
  await refund.catch((error: unknown) => log().warn({ err: error }, "An attempt could not be given back."));
}
