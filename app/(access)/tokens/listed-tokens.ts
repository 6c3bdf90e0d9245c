import type { ShownToken } from "./token-table.tsx";

/** How many revoked tokens a page lists. Revoked tokens are never deleted, so a user may have thousands. */
export const REVOKED_SHOWN = 100;

export type ListedTokens<Listed extends ShownToken> = {
  active: Listed[];
  /** How many active ones are left out. */
  hiddenCount: number;
  /** The newest ones, and how many there are. */
  revoked: { tokens: ShownToken[]; total: number };
};

/** Both ends of a list. `newest` begins with the newest token, `oldest` with the oldest one. They may overlap. */
type Ends<Listed> = { newest: Listed[]; oldest: Listed[]; total: number };

/** Joins the ends of the list of active tokens. */
export function joinEnds<Listed extends ShownToken>({
  newest,
  oldest,
  total,
}: Ends<Listed>): Pick<ListedTokens<Listed>, "active" | "hiddenCount"> {
  const known = new Set(newest.map(({ id }) => id));
  const active = [...newest, ...oldest.toReversed().filter(({ id }) => !known.has(id))];
  return { active, hiddenCount: Math.max(0, total - active.length) };
}
