import { z } from "zod";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import type { Handler } from "#lib/http/route/route.ts";
import { Token, TokenUsage } from "#lib/schemas/token.ts";
import { read, readWithHeaders } from "../../ui/page/read.ts";
import type { ShownToken } from "./token-table.tsx";

/** How many revoked tokens a page lists. Revoked tokens are never deleted, so a user may have thousands. */
const REVOKED_SHOWN = 100;

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

type Usage = z.output<typeof TokenUsage>;

type Routes = {
  tokens: Handler;
  usage: Handler;
  /** The dynamic segments of their paths. */
  params?: Record<string, string>;
};

type Query = Record<string, string>;

async function readTokens(
  { tokens, params = {} }: Routes,
  query: Query,
): Promise<{ found: ShownToken[]; total: number }> {
  const { value, headers } = await readWithHeaders(tokens, { returns: z.array(Token), params, query });
  return { found: value, total: Number(headers.get(TOTAL_HEADER)) };
}

/** Some active tokens, with their usage. */
async function readActive(routes: Routes, query: Query) {
  const [tokens, usage] = await Promise.all([
    readTokens(routes, query),
    read(routes.usage, { returns: z.array(TokenUsage), params: routes.params ?? {}, query }),
  ]);
  return { ...tokens, usage };
}

/**
 * Reads the tokens that a page lists, and their usage. All tokens of a user with tens of thousands, and their usage, took a gigabyte of memory.
 * @param limit the most active tokens: half are the newest, half the oldest, which a user is likely to revoke
 */
export async function readListedTokens(
  routes: Routes,
  limit: number,
): Promise<ListedTokens<ShownToken> & { usage: Map<string, Usage> }> {
  const half = { status: "active", limit: String(Math.floor(limit / 2)) };
  const [newest, revoked] = await Promise.all([
    readActive(routes, half),
    readTokens(routes, { status: "revoked", limit: String(REVOKED_SHOWN) }),
  ]);
  const isCut = newest.total > newest.found.length;
  const oldest = isCut ? await readActive(routes, { ...half, sort: "createdAt" }) : { found: [], usage: [] };
  return {
    ...joinEnds({ newest: newest.found, oldest: oldest.found, total: newest.total }),
    revoked: { tokens: revoked.found, total: revoked.total },
    usage: new Map([...newest.usage, ...oldest.usage].map((each) => [each.tokenId, each])),
  };
}
