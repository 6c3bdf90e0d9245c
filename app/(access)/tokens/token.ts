import type { z } from "zod";
import type { Token, TokenUsage } from "#lib/schemas/token.ts";

type Days = Pick<z.output<typeof TokenUsage>, "days" | "total">;

/** What a token has rendered lately, in few bytes: a page may hold hundreds. */
export type Usage = {
  /** In UTC, such as `2026-03-01`. */
  firstDay: string;
  /** Of that day and of each one after it. */
  renders: number[];
  total: number;
};

/** A token with what it has rendered lately; `null` for nothing. */
export type UsedToken = z.output<typeof Token> & { usage: Usage | null };

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

/** The tokens whose name or prefix holds a text, in any case. A whole secret finds its token too. */
export function findTokens(tokens: UsedToken[], text: string): UsedToken[] {
  const wanted = text.trim().toLowerCase();
  return tokens.filter(({ name, tokenPrefix }) => {
    const prefix = tokenPrefix.toLowerCase();
    return name.toLowerCase().includes(wanted) || prefix.includes(wanted) || wanted.startsWith(prefix);
  });
}
