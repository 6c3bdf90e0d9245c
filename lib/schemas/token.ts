import { z } from "zod";
import { id, moment } from "#lib/schemas/scalars.ts";
import { lineOfText } from "#lib/schemas/text.ts";

/** What anyone may see of an API token after it was made: never its secret. */
export const Token = z.object({
  id,
  name: z.string(),
  tokenPrefix: z.string().describe("The first characters of the secret, to tell tokens apart"),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  revokedAt: moment.nullable().describe("Set once the token is revoked, for good"),
});

/** The one answer that holds the secret. */
export const CreatedToken = Token.extend({
  token: z.string().startsWith("svc_").describe("The secret, shown this once"),
});

/** The body of `POST /tokens`. */
export const CreateToken = z.strictObject({ name: lineOfText({ min: 1, max: 80 }) });
