import { z } from "zod";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import type { Handler } from "#lib/http/route/route.ts";
import { Token, TokenUsage } from "#lib/schemas/token.ts";
import { read, readWithHeaders } from "../../ui/page/read.ts";
import { joinEnds, type ListedTokens, REVOKED_SHOWN } from "./listed-tokens.ts";

type Shown = z.output<typeof Token>;
type Usage = z.output<typeof TokenUsage>;

type Routes = {
  tokens: Handler;
  usage: Handler;
  /** The dynamic segments of their paths. */
  params?: Record<string, string>;
};

type Query = Record<string, string>;

async function readTokens({ tokens, params = {} }: Routes, query: Query): Promise<{ found: Shown[]; total: number }> {
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
): Promise<ListedTokens<Shown> & { usage: Map<string, Usage> }> {
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
