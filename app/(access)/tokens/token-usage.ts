import type { z } from "zod";
import type { Token, TokenUsage } from "#lib/schemas/token.ts";

type Days = Pick<z.output<typeof TokenUsage>, "days" | "total">;

/** The recent renders of a token, in a compact form: a page may hold hundreds. */
export type Usage = {
  /** In UTC, such as `2026-03-01`. */
  firstDay: string;
  /** One count per day, from `firstDay` on. */
  renders: number[];
  total: number;
};

export type UsedToken = z.output<typeof Token> & {
  /** Its recent renders; `null` for none. */
  usage: Usage | null;
  /** Why it should be revoked if no program needs it; `null` for a token that is in use. */
  idle: string | null;
};

const DAY_MS = 24 * 3_600 * 1_000;

export function packUsage({ days, total }: Days): Usage {
  return { firstDay: days[0]?.day ?? "1970-01-01", renders: days.map(({ renders }) => renders), total };
}

/** The inverse of {@link packUsage}. */
export function unpackUsage({ firstDay, renders, total }: Usage): Days {
  const first = Date.parse(firstDay);
  const dayAt = (at: number) => new Date(first + at * DAY_MS).toISOString().slice(0, 10);
  return { days: renders.map((count, at) => ({ day: dayAt(at), renders: count })), total };
}

/** The tokens whose name or prefix contains a text, ignoring case. A complete secret finds its token too. */
export function findTokens(tokens: UsedToken[], text: string): UsedToken[] {
  const search = text.trim().toLowerCase();
  return tokens.filter(({ name, tokenPrefix }) => {
    const prefix = tokenPrefix.toLowerCase();
    return name.toLowerCase().includes(search) || prefix.includes(search) || search.startsWith(prefix);
  });
}
