import { z } from "zod";
import { findTokensByPrefix, revokeToken, type TokenRecord } from "#lib/access/tokens.ts";
import { findUser, listTokensOf } from "#lib/access/users.ts";
import { AppError } from "#lib/errors.ts";
import { Token } from "#lib/schemas/token.ts";
import { type Command, operator, readEmail, toJson } from "./command.ts";
import { printable, shortMoment, table } from "./table.ts";

function tokenRow({ id, tokenPrefix, name, createdAt, lastUsedAt, revokedAt }: TokenRecord): string[] {
  return [id, `${tokenPrefix}…`, name, shortMoment(createdAt), shortMoment(lastUsedAt), shortMoment(revokedAt)];
}

export const tokens: Command = {
  words: ["email"],
  options: ["json"],
  async prepare({ words, options }) {
    const email = readEmail(words[0]);
    return async () => {
      const { id } = await findUser(email);
      const found = await listTokensOf({ ...operator, id });
      if (options.json) return toJson(z.array(Token).parse(found));
      if (found.length === 0) return `${email} has no tokens.`;
      return table(["ID", "SECRET", "NAME", "CREATED", "LAST USED", "REVOKED"], found.map(tokenRow));
    };
  },
};

/** @param text a token id, or the start of a secret @throws AppError `not_found` unless exactly one token matches */
async function tokenIdOf(text: string): Promise<string> {
  if (!text.startsWith("svc_")) return text;
  const [found, ...others] = await findTokensByPrefix(text);
  if (!found) throw new AppError("not_found", "There is no token whose secret starts like that.");
  if (others.length > 0)
    throw new AppError("not_found", "Several tokens start like that. Use the id of the token instead.");
  return found.id;
}

export const revoke: Command = {
  words: ["token"],
  options: [],
  async prepare({ words: [text = ""] }) {
    return async () => {
      const id = await tokenIdOf(text);
      await revokeToken({ ...operator, id });
      return `Revoked the token ${printable(id)}.`;
    };
  },
};
