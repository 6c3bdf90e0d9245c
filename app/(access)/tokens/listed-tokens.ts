import { isLive, type ShownToken } from "./token-table.tsx";

/** How many revoked tokens a page shows. They are never deleted, and a program that gets a new token each day leaves thousands. */
const REVOKED_SHOWN = 100;

export type ListedTokens<Listed extends ShownToken> = {
  active: Listed[];
  /** How many active ones are left out. */
  hiddenCount: number;
  /** The newest ones, and how many there are. */
  revoked: { tokens: ShownToken[]; total: number };
};

/**
 * What a page shows of the tokens of a user. To write a page of tens of thousands would keep all other requests waiting for seconds.
 * @param tokens the newest first
 * @param limit how many active ones are listed at most: the newest, and as many of the oldest, which are those to revoke
 */
export function listTokens<Listed extends ShownToken>(tokens: Listed[], limit: number): ListedTokens<Listed> {
  const live = tokens.filter(isLive);
  const revoked = tokens.filter((token) => !isLive(token));
  const half = Math.floor(limit / 2);
  const active = live.length > limit ? [...live.slice(0, half), ...live.slice(-half)] : live;
  return {
    active,
    hiddenCount: live.length - active.length,
    revoked: { tokens: revoked.slice(0, REVOKED_SHOWN), total: revoked.length },
  };
}
