import { type SQL, sql } from "drizzle-orm";
import { MAX, NIL } from "uuid";
import { query } from "#lib/db/database.ts";
import { usage } from "#lib/db/schema.ts";
import { mapInPieces } from "#lib/slices.ts";
import { USAGE_DAYS_SHOWN, USAGE_PART_ROWS } from "../access-limits.ts";
import { inLine, type Reader } from "./long-lists.ts";

const DAY_MS = 24 * 3_600 * 1_000;

/** How much one token has rendered lately. */
export type TokenUsageRecord = { tokenId: string; days: { day: string; renders: number }[]; total: number };

/** The days to show, the oldest first. UTC, like the days that renders are counted on. */
function shownDays(): string[] {
  const today = Date.now();
  return Array.from({ length: USAGE_DAYS_SHOWN }, (_, at) =>
    new Date(today - (USAGE_DAYS_SHOWN - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The renders of one token on one day, with all templates, and how many rows they have. */
type Counted = { tokenId: string; day: string; renders: number; rows: number };

/** Adds up some rows of the table. @param part a select of some of its rows */
async function addUp(part: SQL): Promise<readonly Counted[]> {
  return await query((db) =>
    db.execute<Counted>(sql`
      select token_id as "tokenId", day::text as day, sum(renders)::float8 as renders, count(*)::integer as rows
      from (${part}) as part group by token_id, day order by day, token_id`),
  );
}

const rowsIn = (counted: readonly Counted[]) => counted.reduce((sum, { rows }) => sum + rows, 0);

/** The renders of each token on each day. */
type Usage = Map<string, Map<string, number>>;

function addTo(usage: Usage, counted: readonly Counted[]): Usage {
  for (const { tokenId, day, renders } of counted) {
    const rendersOn = usage.get(tokenId);
    if (rendersOn) rendersOn.set(day, renders);
    else usage.set(tokenId, new Map([[day, renders]]));
  }
  return usage;
}

type Shown = { userId: string; days: string[] };

/**
 * The usage of a user with few rows. Rows are compared and sorted by the columns of an index, so that no more of them are read,
 * whatever statistics PostgreSQL has.
 * @returns undefined when there are too many for one query
 */
async function readShort({ userId, days }: Shown): Promise<Usage | undefined> {
  const counted = await addUp(sql`
    select token_id, day, renders from ${usage}
    where (user_id, day) >= (${userId}::uuid, ${days.at(0)}::date) and (user_id, day) <= (${userId}::uuid, ${days.at(-1)}::date)
      and token_id is not null
    order by user_id, day limit ${USAGE_PART_ROWS + 1}`);
  return rowsIn(counted) > USAGE_PART_ROWS ? undefined : addTo(new Map(), counted);
}

/** The usage in parts of a day, each in a turn of its own. All rows of a token on a day are in one part. */
async function readLong({ userId, days }: Shown, signal: AbortSignal | undefined): Promise<Usage> {
  const read: Usage = new Map();
  for (const day of days) {
    let counted: readonly Counted[] = [];
    do {
      signal?.throwIfAborted();
      const after = counted.at(-1)?.tokenId ?? NIL;
      counted = await addUp(sql`
        select token_id, day, renders from ${usage}
        where (day, user_id, token_id) > (${day}::date, ${userId}::uuid, ${after}::uuid)
          and (day, user_id, token_id) <= (${day}::date, ${userId}::uuid, ${MAX}::uuid)
        order by day, user_id, token_id fetch first ${USAGE_PART_ROWS} rows with ties`);
      addTo(read, counted);
    } while (rowsIn(counted) >= USAGE_PART_ROWS);
  }
  return read;
}

/**
 * How much each of a user's tokens has rendered on each of the last days. Tokens without renders are left out. The renders of
 * the last second may not be written yet (see `usage.ts`). A long list is read in parts, one list of a reader at a time: in one query,
 * it kept the embedded database from everyone else for seconds.
 * @throws AppError `overloaded` when many long lists of this reader wait; the signal's reason
 */
export async function listTokenUsage(
  userId: string,
  { reader = userId, signal }: Reader = {},
): Promise<TokenUsageRecord[]> {
  const shown = { userId, days: shownDays() };
  const read = (await readShort(shown)) ?? (await inLine(reader, () => readLong(shown, signal)));
  return await mapInPieces([...read], ([tokenId, rendersOn]) => ({
    tokenId,
    days: shown.days.map((day) => ({ day, renders: rendersOn.get(day) ?? 0 })),
    total: [...rendersOn.values()].reduce((sum, renders) => sum + renders, 0),
  }));
}
