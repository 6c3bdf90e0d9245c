import { type SQL, sql } from "drizzle-orm";
import { MAX, NIL } from "uuid";
import { query } from "#lib/db/database.ts";
import { usage } from "#lib/db/schema.ts";
import { USAGE_DAYS_SHOWN, USAGE_PART_ROWS, USAGE_PART_TOKENS } from "../access-limits.ts";
import { idsOfTokens, type Reader, type Selection } from "./long-lists.ts";

const DAY_MS = 24 * 3_600 * 1_000;

/** How much one token has rendered lately. */
export type TokenUsageRecord = {
  readonly tokenId: string;
  readonly days: { day: string; renders: number }[];
  readonly total: number;
};

/** The days to show, the oldest first. UTC, like the days that renders are counted on. */
function shownDays(): string[] {
  const today = Date.now();
  return Array.from({ length: USAGE_DAYS_SHOWN }, (_, at) =>
    new Date(today - (USAGE_DAYS_SHOWN - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The renders of one token, or in sessions, on one day, with all templates, and how many rows they have. */
type Counted = { tokenId: string | null; day: string; renders: number; rows: number };

/** Adds up some rows of the table. @param part a select of some of its rows */
async function addUp(part: SQL): Promise<readonly Counted[]> {
  return await query((db) =>
    db.execute<Counted>(sql`
      select token_id as "tokenId", day::text as day, sum(renders)::float8 as renders, count(*)::integer as rows
      from (${part}) as part group by token_id, day order by day, token_id`),
  );
}

const rowsIn = (counted: readonly Counted[]) => counted.reduce((sum, { rows }) => sum + rows, 0);

/** The renders of each token on each of the shown days. As numbers, those of 57,600 tokens take 15 MB, and as objects 200 MB. */
type Usage = Map<string, Float64Array>;

type Shown = { userId: string; days: string[] };

function addTo(usage: Usage, counted: readonly Counted[], { days }: Shown): Usage {
  for (const { tokenId, day, renders } of counted) {
    if (!tokenId) continue;
    const known = usage.get(tokenId) ?? new Float64Array(days.length);
    usage.set(tokenId, known);
    known[days.indexOf(day)] = renders;
  }
  return usage;
}

/**
 * The usage of a user with few rows. Rows are compared and sorted by the columns of an index, so that no more of them are read,
 * whatever statistics PostgreSQL has. Renders in sessions are read too: without them, statistics of a table with no renders by token
 * made PostgreSQL read the index of all tokens instead.
 * @returns undefined when there are too many for one query
 */
async function readShort(shown: Shown): Promise<Usage | undefined> {
  const { userId, days } = shown;
  const counted = await addUp(sql`
    select token_id, day, renders from ${usage}
    where (user_id, day) >= (${userId}::uuid, ${days.at(0)}::date) and (user_id, day) <= (${userId}::uuid, ${days.at(-1)}::date)
    order by user_id, day limit ${USAGE_PART_ROWS + 1}`);
  return rowsIn(counted) > USAGE_PART_ROWS ? undefined : addTo(new Map(), counted, shown);
}

/** The usage in parts of a day, each in a turn of its own. All rows of a token on a day are in one part. */
async function readLong(shown: Shown, signal: AbortSignal | undefined): Promise<Usage> {
  const read: Usage = new Map();
  const { userId, days } = shown;
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
      addTo(read, counted, shown);
    } while (rowsIn(counted) >= USAGE_PART_ROWS);
  }
  return read;
}

/** As {@link readLong}, of some of the user's tokens. Only one index begins with the first column that is compared. */
async function readSome(shown: Shown, ids: string[], signal: AbortSignal | undefined): Promise<Usage> {
  const read: Usage = new Map();
  const { days } = shown;
  for (let from = 0; from < ids.length; from += USAGE_PART_TOKENS) {
    signal?.throwIfAborted();
    const part = `{${ids.slice(from, from + USAGE_PART_TOKENS).join(",")}}`;
    const counted = await addUp(sql`
      select counted.* from unnest(${part}::text::uuid[]) as wanted (id), lateral (
        select token_id, day, renders from ${usage}
        where (token_id, day) >= (wanted.id, ${days.at(0)}::date) and (token_id, day) <= (wanted.id, ${days.at(-1)}::date)) as counted`);
    addTo(read, counted, shown);
  }
  return read;
}

/** Days and total are computed when they are read, because a long list is sent a few tokens at a time. */
function toRecord(tokenId: string, renders: Float64Array, days: string[]): TokenUsageRecord {
  return {
    tokenId,
    get days() {
      return days.map((day, at) => ({ day, renders: renders[at] ?? 0 }));
    },
    get total() {
      return renders.reduce((sum, count) => sum + count, 0);
    },
  };
}

/**
 * How much each of a user's tokens, or of a selection of them, has rendered on each of the last days. A selection has the order of its
 * tokens, and all tokens have none. Tokens without renders are left out. The renders of the last second may not be written yet (see
 * `usage.ts`). A long list is read in parts: in one query, it kept the embedded database from everyone else for seconds.
 * @throws the signal's reason
 */
export async function listTokenUsage(
  userId: string,
  { signal }: Reader = {},
  selection: Selection = {},
): Promise<TokenUsageRecord[]> {
  const shown = { userId, days: shownDays() };
  const isSelected = Object.values(selection).some((value) => value !== undefined);
  const ids = isSelected ? await idsOfTokens(userId, selection) : undefined;
  const readParts = () => (selection.limit && ids ? readSome(shown, ids, signal) : readLong(shown, signal));
  const read = (await readShort(shown)) ?? (await readParts());
  return (ids ?? [...read.keys()]).flatMap((id) => {
    const renders = read.get(id);
    return renders ? [toRecord(id, renders, shown.days)] : [];
  });
}
