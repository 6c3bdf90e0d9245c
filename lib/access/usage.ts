import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { query, transaction } from "#lib/db/database.ts";
import { sqlState } from "#lib/db/database-faults.ts";
import { tokens, usage, users } from "#lib/db/schema.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import {
  USAGE_PENDING,
  USAGE_RETRY_MS,
  USAGE_STOP_MS,
  USAGE_STOP_PAUSE_MS,
  USAGE_WRITE_AFTER_MS,
} from "./access-limits.ts";
import type { Actor } from "./actor.ts";

type Count = { day: string; user_id: string; token_id: string | null; template: string; renders: number };

/** A write whose commit was sent. */
type SentWrite = { transactionId: string; counts: Count[] };

type Pending = {
  counts: Map<string, Count>;
  /** A write that PostgreSQL may have done or not, because the answer to its commit is lost or late. */
  doubtful: SentWrite | undefined;
  timer: NodeJS.Timeout | undefined;
  /** The current write. The next one waits for it. */
  flushing: Promise<void> | undefined;
  /** What was logged since the last successful write. */
  reported: { failing: boolean; full: boolean };
};

const pending = processState(
  "usage",
  (): Pending => ({
    counts: new Map(),
    doubtful: undefined,
    timer: undefined,
    flushing: undefined,
    reported: { failing: false, full: false },
  }),
);

function add(count: Count): void {
  const { counts, reported } = pending.get();
  const key = JSON.stringify([count.day, count.user_id, count.token_id, count.template]);
  const known = counts.get(key);
  if (known) known.renders += count.renders;
  else if (counts.size < USAGE_PENDING) counts.set(key, count);
  else if (!reported.full) {
    reported.full = true;
    log().warn({ pending: counts.size }, "Too many usage counts wait to be written. Some renders are not counted.");
  }
}

/** Writes the counts after a while, unless a write is planned already. */
function planWrite(afterMs: number): void {
  const state = pending.get();
  state.timer ??= setTimeout(() => void flushUsage(), afterMs).unref();
}

/** Counts one finished render of a user or a token, in memory. The counts are written within a second. */
export function recordRender({ actor, template }: { actor: Actor; template: string }): void {
  if (actor.kind === "anonymous") return;
  add({
    day: new Date().toISOString().slice(0, 10),
    user_id: actor.user.id,
    token_id: actor.kind === "token" ? actor.tokenId : null,
    template,
    renders: 1,
  });
  planWrite(USAGE_WRITE_AFTER_MS);
}

/** `invalid_parameter_value`: a database to which a failover led has not had this transaction yet. */
const UNKNOWN_TRANSACTION = "22023";

/** @returns undefined while PostgreSQL has not ended the transaction */
async function wasCommitted(transactionId: string): Promise<boolean | undefined> {
  try {
    const [row] = await query(
      (db) => db.execute<{ status: string | null }>(sql`select pg_xact_status(${transactionId}::text::xid8) as status`),
      "background",
    );
    return row?.status === "in progress" ? undefined : row?.status === "committed";
  } catch (error) {
    if (sqlState(error) === UNKNOWN_TRANSACTION) return false;
    throw error;
  }
}

/**
 * Finds out whether the doubtful write was done. Without this, a slow disk would multiply the counts: each commit is done in the end, but
 * takes longer than a query may, so that it is tried again.
 * @throws Error while PostgreSQL still works at it; AppError `unavailable`
 */
async function resolveDoubt({ transactionId, counts }: SentWrite): Promise<void> {
  const isDone = await wasCommitted(transactionId);
  if (isDone === undefined) throw new Error("PostgreSQL has not ended the transaction of an earlier write yet.");
  pending.get().doubtful = undefined;
  if (!isDone) for (const count of counts) add(count);
}

/**
 * Adds the counts to the table. Counts of deleted users and tokens are dropped. Users are locked first, and all rows in one
 * order; see `transaction-guards.ts`.
 *
 * It does not wait for a synchronous stand-by. While that is away, the commit is on the disk, but the wait for it ends at the deadline.
 */
async function write(counts: Count[]): Promise<void> {
  let transactionId: string | undefined;
  const work = transaction(async (tx) => {
    const [begun] = await tx.execute<{ id: string }>(
      sql`select pg_current_xact_id()::text as id, set_config('synchronous_commit', 'local', true)`,
    );
    await tx.execute(sql`
      insert into ${usage} (day, user_id, token_id, template, renders)
      select counted.day, counted.user_id, counted.token_id, counted.template, counted.renders
      from jsonb_to_recordset(${JSON.stringify(counts)}::text::jsonb)
        as counted (day date, user_id uuid, token_id uuid, template text, renders integer)
      join ${users} as caller on caller.id = counted.user_id
      where counted.token_id is null or exists (select from ${tokens} where ${tokens.id} = counted.token_id)
      order by counted.user_id, counted.token_id, counted.template, counted.day
      for key share of caller
      on conflict on constraint usage_unique do update set renders = ${usage.renders} + excluded.renders`);
    transactionId = String(begun?.id);
  }, "background");
  try {
    await work;
  } catch (error) {
    // Without an answer to the insert, no commit was sent.
    if (transactionId !== undefined) pending.get().doubtful = { transactionId, counts };
    throw error;
  }
}

async function flush(): Promise<void> {
  const state = pending.get();
  clearTimeout(state.timer);
  state.timer = undefined;
  let counts: Count[] = [];
  try {
    if (state.doubtful) await resolveDoubt(state.doubtful);
    counts = [...state.counts.values()];
    state.counts = new Map();
    if (counts.length > 0) await write(counts);
    state.reported = { failing: false, full: false };
  } catch (error) {
    if (!state.doubtful) for (const count of counts) add(count);
    if (!state.reported.failing)
      log().warn({ err: error }, "Usage cannot be written at the moment. It is tried again later.");
    state.reported.failing = true;
    planWrite(USAGE_RETRY_MS);
  }
}

/** Writes the counts, after the current write. A failure is logged once, and the counts wait for the next write. Never throws. */
export async function flushUsage(): Promise<void> {
  const state = pending.get();
  const before = state.flushing;
  const own = (before ?? Promise.resolve()).then(flush);
  state.flushing = own;
  await own;
  if (state.flushing === own) state.flushing = undefined;
}

/** How many renders are not known to be written. */
function unwrittenRenders(): number {
  const { counts, doubtful } = pending.get();
  return [...counts.values(), ...(doubtful?.counts ?? [])].reduce((sum, { renders }) => sum + renders, 0);
}

/** Writes the remaining counts, for {@link USAGE_STOP_MS} at most. Logs how many renders are lost where that fails. Never throws. */
export async function stopUsage(): Promise<void> {
  const until = performance.now() + USAGE_STOP_MS;
  for (;;) {
    await flushUsage();
    if (unwrittenRenders() === 0 || performance.now() + USAGE_STOP_PAUSE_MS > until) break;
    await sleep(USAGE_STOP_PAUSE_MS);
  }
  const state = pending.get();
  clearTimeout(state.timer);
  state.timer = undefined;
  const renders = unwrittenRenders();
  if (renders > 0)
    log().warn({ renders }, "Usage could not be written before the stop. These renders are not counted.");
}
