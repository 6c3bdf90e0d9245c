import { and, asc, type Column, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { query } from "#lib/db/database.ts";
import { tokens } from "#lib/db/schema.ts";
import { LONG_LIST_PART_TOKENS, LONG_LIST_TOKENS } from "../access-limits.ts";

/** Who asks for a list. */
export type Reader = {
  /** Aborts when the client disconnects. */
  signal?: AbortSignal | undefined;
};

/** Some of a user's tokens. */
export type Selection = {
  status?: "active" | "revoked" | undefined;
  /** The newest ones come first when absent. */
  sort?: "-createdAt" | "createdAt" | undefined;
  /** At most {@link LONG_LIST_TOKENS}, so that a list with a limit is a short one. */
  limit?: number | undefined;
};

function isSelected(userId: string, { status }: Selection): SQL | undefined {
  const byStatus = status && (status === "active" ? isNull : isNotNull)(tokens.revokedAt);
  return and(eq(tokens.userId, userId), byStatus);
}

/** The columns that a selection is sorted by. */
export function orderOf({ sort }: Selection): SQL[] {
  return [tokens.createdAt, tokens.id].map((column) => (sort === "createdAt" ? asc : desc)(column));
}

/** The ids of a user's tokens, or of a selection of them, in order. */
export async function idsOfTokens(userId: string, selection: Selection = {}): Promise<string[]> {
  const rows = await query((db) => {
    const select = db
      .select({ id: tokens.id })
      .from(tokens)
      .where(isSelected(userId, selection))
      .orderBy(...orderOf(selection));
    return selection.limit === undefined ? select : select.limit(selection.limit);
  });
  return rows.map(({ id }) => id);
}

/** How many tokens a selection has without its limit. */
export async function countTokens(userId: string, selection: Selection): Promise<number> {
  return await query((db) => db.$count(tokens, isSelected(userId, selection)));
}

/** The ids of a selection, in no order, or of one token more than a short list has. */
async function someIds(userId: string, selection: Selection): Promise<string[]> {
  const rows = await query((db) =>
    db
      .select({ id: tokens.id })
      .from(tokens)
      .where(isSelected(userId, selection))
      .limit(LONG_LIST_TOKENS + 1),
  );
  return rows.map(({ id }) => id);
}

/**
 * Whether a column has one of these ids. They are one parameter, so that the statement is the same for any number of them, and in a
 * select of its own, so that PostgreSQL reads it once and not for each row.
 */
export function isOneOf(column: Column, ids: string[]): SQL {
  return sql`${column} = any((select ${`{${ids.join(",")}}`}::text::uuid[])::uuid[])`;
}

/**
 * Reads a list that has an item for each token of a user. Tokens are never deleted, so that it may have tens of thousands.
 * @param read the part of the list for some tokens. It gets a long list in parts, because a query has a limit of time
 * @throws the signal's reason; what `read` throws
 */
export async function readListOfTokens<T>(
  userId: string,
  { signal, selection = {} }: Reader & { selection?: Selection },
  read: (ids: string[]) => Promise<T[]>,
): Promise<T[]> {
  const some = await (selection.limit === undefined ? someIds : idsOfTokens)(userId, selection);
  if (some.length <= LONG_LIST_TOKENS) return await read(some);
  signal?.throwIfAborted();
  const ids = await idsOfTokens(userId, selection);
  const parts: T[][] = [];
  for (let from = 0; from < ids.length; from += LONG_LIST_PART_TOKENS) {
    parts.push(await read(ids.slice(from, from + LONG_LIST_PART_TOKENS)));
    signal?.throwIfAborted();
  }
  return parts.flat();
}
