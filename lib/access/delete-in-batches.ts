import { type SQL, sql } from "drizzle-orm";
import { query } from "#lib/db/database.ts";
import { tokens, usage } from "#lib/db/schema.ts";
import { DELETE_BATCH_ROWS, DELETE_PART_TOKENS } from "./access-limits.ts";
import { idsOfTokens, isOneOf } from "./tokens/long-lists.ts";

type Deletion = {
  table: SQL;
  /** May have an order, which decides on the index where the table is large. */
  condition: SQL;
  /** Ends the deletion between two batches: a million rows take half a minute. */
  signal?: AbortSignal | undefined;
};

/**
 * Deletes in batches and skips locked rows, so that no request waits for it.
 * @throws AppError `unavailable`; the signal's reason
 */
export async function deleteInBatches({ table, condition, signal }: Deletion): Promise<void> {
  const deleteBatch = sql`
    delete from ${table} where ctid = any (array (
      select ctid from ${table} where ${condition} limit ${DELETE_BATCH_ROWS} for update skip locked))`;
  let deleted: number;
  do {
    signal?.throwIfAborted();
    deleted = (await query((db) => db.execute(deleteBatch))).count;
  } while (deleted === DELETE_BATCH_ROWS);
}

/**
 * Whether a user has more rows than are deleted in one transaction. Tokens are never deleted, and each has its usage of every day.
 * @throws AppError `unavailable`
 */
export async function hasManyRows(userId: string): Promise<boolean> {
  const [hasManyTokens, hasMuchUsage] = [tokens, usage].map(
    (table) => sql`exists (select from ${table} where user_id = ${userId} offset ${DELETE_BATCH_ROWS})`,
  );
  const [answer] = await query((db) => db.execute(sql`select ${hasManyTokens} or ${hasMuchUsage} as "hasMany"`));
  return answer?.hasMany === true;
}

/**
 * Deletes the usage and the tokens of a user. The usage comes first, a day after the other, because the tokens that a statement deletes
 * take their usage along.
 * @throws AppError `unavailable`
 */
export async function deleteRowsOf(userId: string): Promise<void> {
  await deleteInBatches({ table: sql`${usage}`, condition: sql`user_id = ${userId} order by day` });
  const ids = await idsOfTokens(userId);
  for (let from = 0; from < ids.length; from += DELETE_PART_TOKENS) {
    const part = ids.slice(from, from + DELETE_PART_TOKENS);
    await query((db) => db.delete(tokens).where(isOneOf(tokens.id, part)));
  }
}
