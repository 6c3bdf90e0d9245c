import type { ShownToken } from "./token-table.tsx";

const DAY_MS = 24 * 3_600 * 1_000;

/** A token that is used at all has been used once in this time: a quarter of a year, for jobs that run each quarter. */
const UNUSED_DAYS = 90;

/** Younger tokens were perhaps not put to use yet. */
const NEW_DAYS = 7;

type Times = Pick<ShownToken, "createdAt" | "lastUsedAt" | "revokedAt">;

/**
 * Why a token should be revoked if no program needs it: `Never used`, `Not used for 143 days`. Null for a token that is in use,
 * new or revoked.
 */
export function idleReason({ createdAt, lastUsedAt, revokedAt }: Times, now: Date): string | null {
  if (revokedAt !== null) return null;
  const daysSince = (moment: string) => Math.floor((now.getTime() - Date.parse(moment)) / DAY_MS);
  if (lastUsedAt === null) return daysSince(createdAt) >= NEW_DAYS ? "Never used" : null;
  const days = daysSince(lastUsedAt);
  return days >= UNUSED_DAYS ? `Not used for ${days} days` : null;
}
