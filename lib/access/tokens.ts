import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
import { validate as isUuid, v7 as uuidv7 } from "uuid";
import { query, transaction } from "#lib/db/database.ts";
import { tokens, users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { TOKEN_USED_INTERVAL_SECONDS, TOKEN_USED_WAIT_MS, TOKENS_PER_USER } from "./access-limits.ts";
import { type Caller, type Operator, type SessionActor, type TokenActor, USER_COLUMNS } from "./actor.ts";
import { recordAct } from "./audit.ts";
import { lockActor } from "./locks.ts";
import { mayRevoke } from "./policies.ts";
import { hashSecret } from "./secret.ts";
import { takeAttempt } from "./throttle.ts";
import { createTokenSecret, isTokenSecret } from "./token-secret.ts";

/** How much of a secret is shown, to tell tokens apart. */
const SHOWN_LENGTH = 12;

const TOKEN_COLUMNS = {
  id: tokens.id,
  name: tokens.name,
  tokenPrefix: tokens.prefix,
  createdAt: tokens.createdAt,
  lastUsedAt: tokens.lastUsedAt,
  revokedAt: tokens.revokedAt,
};

/** What is known of a token; its secret is not. */
export type TokenRecord = {
  id: string;
  name: string;
  /** The first characters of the secret. */
  tokenPrefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

/**
 * Whose token this is: unless it was revoked, with the user as of now while they are active. One query, and none for a
 * text whose checksum is wrong.
 * @throws AppError `unavailable`
 */
export async function findToken(secret: string): Promise<TokenActor | undefined> {
  if (!isTokenSecret(secret)) return undefined;
  const [found] = await query((db) =>
    db
      .select({ tokenId: tokens.id, user: USER_COLUMNS })
      .from(tokens)
      .innerJoin(users, eq(users.id, tokens.userId))
      .where(and(eq(tokens.secretHash, hashSecret(secret)), isNull(tokens.revokedAt), eq(users.status, "active"))),
  );
  return found && { kind: "token", ...found };
}

/**
 * Makes a token for whoever is signed in. Its secret is in this answer and nowhere else.
 * @throws AppError `rate_limited`; `unauthorized` when the user is gone meanwhile
 */
export async function createToken({
  actor,
  name,
  caller,
}: {
  actor: SessionActor;
  name: string;
  caller: Caller;
}): Promise<TokenRecord & { token: string }> {
  await takeAttempt({ allowance: TOKENS_PER_USER, name: actor.user.id });
  const token = createTokenSecret();
  return await transaction(async (tx) => {
    const { id: userId } = await lockActor(tx, actor);
    const [created] = await tx
      .insert(tokens)
      .values({ id: uuidv7(), userId, name, prefix: token.slice(0, SHOWN_LENGTH), secretHash: hashSecret(token) })
      .returning(TOKEN_COLUMNS);
    if (!created) throw new Error("An insert returned no row.");
    await recordAct(tx, { act: "token.created", actor, target: { type: "token", id: created.id, name }, caller });
    return { ...created, token };
  });
}

/** A user's tokens, revoked ones too, the newest first. @throws AppError `unavailable` */
export async function listTokens(userId: string): Promise<TokenRecord[]> {
  return await query((db) =>
    db
      .select(TOKEN_COLUMNS)
      .from(tokens)
      .where(eq(tokens.userId, userId))
      .orderBy(desc(tokens.createdAt), desc(tokens.id)),
  );
}

/** The tokens whose secrets begin like this one, whoever they belong to. @param text a secret, or what is shown of it */
export async function findTokensLike(text: string): Promise<TokenRecord[]> {
  return await query((db) =>
    db
      .select(TOKEN_COLUMNS)
      .from(tokens)
      .where(eq(tokens.prefix, text.slice(0, SHOWN_LENGTH))),
  );
}

const noSuchToken = () => new AppError("not_found", "There is no such token.");

/**
 * Ends a token for good. One that was revoked before stays as it is.
 * @throws AppError `not_found` where there is none, or none that the actor may know of
 */
export async function revokeToken({
  actor,
  id,
  caller,
}: {
  actor: SessionActor | Operator;
  id: string;
  caller: Caller;
}): Promise<void> {
  if (!isUuid(id)) throw noSuchToken();
  await transaction(async (tx) => {
    const [token] = await tx
      .select({ userId: tokens.userId, name: tokens.name, revokedAt: tokens.revokedAt })
      .from(tokens)
      .where(eq(tokens.id, id))
      .for("update");
    if (!token || !(actor.kind === "operator" || mayRevoke(actor, token))) throw noSuchToken();
    if (token.revokedAt) return;
    await tx.update(tokens).set({ revokedAt: sql`now()` }).where(eq(tokens.id, id));
    await recordAct(tx, { act: "token.revoked", actor, target: { type: "token", id, name: token.name }, caller });
  });
}

/**
 * Notes that a token has just rendered. It waits a moment for the database, never longer, and never throws: the picture is
 * there already.
 */
export async function noteTokenUse({ tokenId }: TokenActor): Promise<void> {
  const stale = or(
    isNull(tokens.lastUsedAt),
    sql`${tokens.lastUsedAt} < now() - ${TOKEN_USED_INTERVAL_SECONDS} * interval '1 second'`,
  );
  const note = query((db) =>
    db
      .update(tokens)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(tokens.id, tokenId), stale)),
  ).catch((error: unknown) => log().warn({ err: error, tokenId }, "The last use of a token could not be noted."));
  const patience = new AbortController();
  const limit = sleep(TOKEN_USED_WAIT_MS, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([note, limit]);
  patience.abort();
}
