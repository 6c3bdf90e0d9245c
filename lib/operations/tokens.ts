import { z } from "zod";
import { countTokens, type Selection } from "#lib/access/tokens/long-lists.ts";
import * as usage from "#lib/access/tokens/token-usage.ts";
import * as tokens from "#lib/access/tokens.ts";
import * as users from "#lib/access/users.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { operation } from "#lib/http/route/operation.ts";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import { CreatedToken, CreateToken, Token, TokensQuery, TokenUsage } from "#lib/schemas/token.ts";
import { OK, Ok } from "./ok.ts";
import { PATHS } from "./paths.ts";
import { TOKENS } from "./tags.ts";

const LIST_HEADERS = {
  [TOTAL_HEADER]: { description: "The number of tokens without the limit.", schema: { type: "integer", minimum: 0 } },
};

type Listed = { userId: string; query: Selection; headers: Headers };

/** Tells how many tokens a list would have without its limit. @returns the list */
async function listed(list: tokens.TokenRecord[], { userId, query, headers }: Listed): Promise<tokens.TokenRecord[]> {
  const total = list.length === query.limit ? await countTokens(userId, query) : list.length;
  headers.set(TOTAL_HEADER, String(total));
  return list;
}

export const listTokens = operation({
  method: "GET",
  path: PATHS.tokens,
  operationId: "listTokens",
  summary: "List your own API tokens, including revoked ones",
  tag: TOKENS,
  auth: signedIn,
  query: TokensQuery,
  returns: z.array(Token),
  isWholeList: ({ limit }) => limit === undefined,
  headers: LIST_HEADERS,
  handle: async ({ actor, query, headers, signal }) => {
    const userId = actor.user.id;
    return await listed(await tokens.listTokens(userId, { signal }, query), { userId, query, headers });
  },
});

export const createToken = operation({
  method: "POST",
  path: PATHS.tokens,
  operationId: "createToken",
  summary: "Create an API token; its secret is returned only once",
  tag: TOKENS,
  auth: signedIn,
  body: CreateToken,
  returns: CreatedToken,
  status: 201,
  errors: ["rate_limited"],
  handle: ({ actor, body, caller }) => tokens.createToken({ actor, ...body, caller: caller() }),
});

export const revokeToken = operation({
  method: "DELETE",
  path: PATHS.token,
  operationId: "revokeToken",
  summary: "Revoke an API token permanently",
  tag: TOKENS,
  auth: signedIn,
  returns: Ok,
  errors: ["not_found"],
  handle: async ({ actor, params, caller }) => {
    await tokens.revokeToken({ actor, id: params.id, caller: caller() });
    return OK;
  },
});

export const listTokenUsage = operation({
  method: "GET",
  path: PATHS.tokenUsage,
  operationId: "listTokenUsage",
  summary: "Count the renders of your own tokens in the last 30 days; unused tokens are left out",
  tag: TOKENS,
  auth: signedIn,
  query: TokensQuery,
  returns: z.array(TokenUsage),
  // A few tokens may have many rows.
  isWholeList: () => true,
  handle: ({ actor, query, signal }) => usage.listTokenUsage(actor.user.id, { signal }, query),
});

export const listTokensOf = operation({
  method: "GET",
  path: PATHS.userTokens,
  operationId: "listTokensOf",
  summary: "List a user's API tokens: as that user, or as an administrator",
  tag: TOKENS,
  auth: signedIn,
  query: TokensQuery,
  returns: z.array(Token),
  isWholeList: ({ limit }) => limit === undefined,
  errors: ["not_found"],
  headers: LIST_HEADERS,
  handle: async ({ actor, params, query, headers, signal }) => {
    const list = await users.listTokensOf({ actor, id: params.id, signal }, query);
    return await listed(list, { userId: params.id, query, headers });
  },
});

export const listTokenUsageOf = operation({
  method: "GET",
  path: PATHS.userTokenUsage,
  operationId: "listTokenUsageOf",
  summary: "Count the renders of a user's tokens in the last 30 days: as that user, or as an administrator",
  tag: TOKENS,
  auth: signedIn,
  query: TokensQuery,
  returns: z.array(TokenUsage),
  isWholeList: () => true,
  errors: ["not_found"],
  handle: ({ actor, params, query, signal }) => users.listTokenUsageOf({ actor, id: params.id, signal }, query),
});
