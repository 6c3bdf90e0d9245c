import { and, asc, between, sql } from "drizzle-orm";
import { query } from "#lib/db/database.ts";
import { usage } from "#lib/db/schema.ts";
import { USAGE_DAYS_SHOWN } from "../access-limits.ts";
import { isOneOf, type Reader, readListOfTokens } from "./long-lists.ts";

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

/**
 * How much each of a user's tokens has rendered on each of the last days. Tokens without renders are left out. The renders of
 * the last second may not be written yet (see `usage.ts`).
 * @throws AppError as {@link readListOfTokens}
 */
export async function listTokenUsage(userId: string, reader: Reader = {}): Promise<TokenUsageRecord[]> {
  return await readListOfTokens(userId, reader, readUsage);
}

async function readUsage(tokenIds: string[]): Promise<TokenUsageRecord[]> {
  const days = shownDays();
  const isShown = between(usage.day, days.at(0) ?? "", days.at(-1) ?? "");
  const rows = await query((db) =>
    db
      .select({
        tokenId: sql<string>`${usage.tokenId}`,
        day: usage.day,
        renders: sql<number>`sum(${usage.renders})::float8`,
      })
      .from(usage)
      .where(and(isOneOf(usage.tokenId, tokenIds), isShown))
      .groupBy(usage.tokenId, usage.day)
      .orderBy(asc(usage.tokenId)),
  );
  return [...Map.groupBy(rows, ({ tokenId }) => tokenId)].map(([tokenId, counted]) => {
    const rendersOn = new Map(counted.map(({ day, renders }) => [day, renders]));
    return {
      tokenId,
      days: days.map((day) => ({ day, renders: rendersOn.get(day) ?? 0 })),
      total: counted.reduce((sum, { renders }) => sum + renders, 0),
    };
  });
}
