import { z } from "zod";
import { id, lineOfText, moment, wholeNumber } from "./scalars.ts";

/** An API token. It never holds the secret. */
export const Token = z
  .object({
    id,
    name: z.string(),
    tokenPrefix: z.string().describe("The first characters of the secret, to tell tokens apart"),
    createdAt: moment,
    lastUsedAt: moment.nullable(),
    revokedAt: moment.nullable().describe("Set once the token is revoked, for good"),
  })
  .meta({ id: "Token" });

/** A new API token, with its secret. */
export const CreatedToken = Token.extend({
  token: z.string().startsWith("svc_").describe("The secret, shown this once"),
}).meta({ id: "CreatedToken" });

/** The body of `POST /tokens`. */
export const CreateToken = z.strictObject({ name: lineOfText({ min: 1, max: 80 }) }).meta({ id: "CreateToken" });

/** The most tokens that a list with a limit has. */
export const LISTED_TOKENS_MAX = 500;

/** The query of lists of tokens, and of lists of their usage. Without it, all tokens are listed. Other parameters are ignored. */
export const TokensQuery = z.object({
  status: z.enum(["active", "revoked"]).describe("Only active tokens, or only revoked ones").optional(),
  sort: z
    .enum(["-createdAt", "createdAt"])
    .describe("`-createdAt`: the newest first, as tokens are listed without it; `createdAt`: the oldest first")
    .optional(),
  limit: wholeNumber({ min: 1, max: LISTED_TOKENS_MAX }).describe("The most tokens to return").optional(),
});

const DayUsage = z.object({ day: z.iso.date().describe("In UTC"), renders: z.int().min(0) });

/** How much one token rendered in the last 30 days. */
export const TokenUsage = z
  .object({
    tokenId: id,
    days: z.array(DayUsage).describe("The last 30 days including today, oldest first, days without renders included"),
    total: z.int().min(1).describe("The sum of these days"),
  })
  .meta({ id: "TokenUsage" });
