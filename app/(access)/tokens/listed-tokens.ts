import { isLive, type ShownToken } from "./token-table.tsx";

/** How many revoked tokens a page lists. Revoked tokens are never deleted, so a user may have thousands. */
const REVOKED_SHOWN = 100;

export type ListedTokens<Listed extends ShownToken> = {
  active: Listed[];
  /** How many active ones are left out. */
  hiddenCount: number;
  /** The newest ones, and how many there are. */
  revoked: { tokens: ShownToken[]; total: number };
};

/**
 * Selects the tokens that a page lists. A page with tens of thousands would keep all other requests waiting for seconds.
 * @param tokens all tokens of the user, newest first
 * @param limit the most active tokens: half are the newest, half the oldest, which a user is likely to revoke
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
