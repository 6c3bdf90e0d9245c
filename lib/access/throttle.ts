import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { query } from "#lib/db/database.ts";
import { throttle } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { type Allowance, THROTTLE_BUCKETS } from "./access-limits.ts";

/** One attempt of someone: `name` is whom it is counted for, such as an email. */
type Attempt = { allowance: Allowance; name: string };

/** Two names may share a bucket. That is the price of a table that nobody can fill. */
function bucketOf({ allowance, name }: Attempt): string {
  return `${allowance.kind}:${createHash("sha256").update(name).digest().readUInt32BE() % THROTTLE_BUCKETS}`;
}

const seconds = (value: number) => sql`${value} * interval '1 second'`;

/** How long one attempt takes to come back. */
const spacing = ({ attempts, windowSeconds }: Allowance) => windowSeconds / attempts;

/**
 * Takes the slot of one attempt, by the generic cell rate algorithm (ITU-T I.371) on the database's clock, in one
 * statement: attempts at the same moment wait for each other's row, and no more get through than there are slots.
 *
 * The clock is that of the moment and not of the statement's beginning: who began first may come second, and would find the
 * bucket fuller than full.
 *
 * The row is read as it was before the statement. Where others have filled the bucket meanwhile the wait cannot be told
 * from it, and the longest possible one is answered.
 * @throws AppError `rate_limited` with Retry-After when none is left
 */
export async function takeAttempt(attempt: Attempt): Promise<void> {
  const { allowance } = attempt;
  const key = bucketOf(attempt);
  const slot = seconds(spacing(allowance));
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
  if (!rows[0]?.taken) throw rateLimited(rows[0]?.wait, spacing(allowance));
}

function rateLimited(waitSeconds: number | null | undefined, longestSeconds: number): AppError {
  const wait = waitSeconds && waitSeconds > 0 ? Math.min(waitSeconds, longestSeconds) : longestSeconds;
  return new AppError("rate_limited", "Too many attempts. Please wait a little and try again.", {
    headers: { "Retry-After": String(Math.ceil(wait)) },
  });
}

/** Gives the slot of an attempt back that was none after all. What it was for has happened, so it never throws. */
export async function refundAttempt(attempt: Attempt): Promise<void> {
  const refund = query((db) =>
    db.execute(sql`
      update ${throttle} set empty_at = empty_at - ${seconds(spacing(attempt.allowance))} where key = ${bucketOf(attempt)}`),
  );
  await refund.catch((error: unknown) => log().warn({ err: error }, "An attempt could not be given back."));
}
