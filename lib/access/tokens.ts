import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNull, or, sql } from "drizzle-orm";
import { query, transaction } from "#lib/db/database.ts";
import { warnRarely } from "#lib/db/rare-warnings.ts";
import { tokens, users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/schemas/scalars.ts";
import { TOKEN_USED_INTERVAL_SECONDS, TOKEN_USED_WAIT_MS, TOKENS_PER_USER } from "./access-limits.ts";
import { type Caller, type SessionActor, type TokenActor, USER_COLUMNS } from "./actor.ts";
import { recordAct } from "./audit-trail.ts";
import { newId } from "./new-id.ts";
import { maySeeTokensOf } from "./policies.ts";
import { createTokenSecret, hashSecret, isTokenSecret } from "./secrets.ts";
import { takeAttempt } from "./throttle.ts";
import { isOneOf, orderOf, type Reader, readListOfTokens, type Selection } from "./tokens/long-lists.ts";
import { type AdminActor, lockActorInSession, readActor } from "./transaction-guards.ts";

/** How much of a secret is shown, to tell tokens apart. */
const PREFIX_CHARS = 12;

const TOKEN_COLUMNS = {
  id: tokens.id,
  name: tokens.name,
  tokenPrefix: tokens.prefix,
  createdAt: tokens.createdAt,
  lastUsedAt: tokens.lastUsedAt,
  revokedAt: tokens.revokedAt,
};

/** A token without its secret. */
export type TokenRecord = {
  id: string;
  name: string;
  /** The first characters of the secret. */
  tokenPrefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

/** Why a secret gives no access. A token of a deactivated user is `unknown`, like one that never was. */
export type RefusedToken = { kind: "refused token"; reason: "malformed" | "unknown" | "revoked" };

const refused = (reason: RefusedToken["reason"]): RefusedToken => ({ kind: "refused token", reason });

/**
 * The token of a secret, with its user as of now. `revoked` is only said of a whole secret. One query, and none for a text with
 * a wrong checksum.
 * @throws AppError `unavailable`
 */
export async function findToken(secret: string): Promise<TokenActor | RefusedToken> {
  if (!isTokenSecret(secret)) return refused("malformed");
  const [found] = await query((db) =>
    db
      .select({ tokenId: tokens.id, revokedAt: tokens.revokedAt, user: USER_COLUMNS })
      .from(tokens)
      .innerJoin(users, eq(users.id, tokens.userId))
      .where(eq(tokens.secretHash, hashSecret(secret))),
  );
  if (found?.user.status !== "active") return refused("unknown");
  const { revokedAt, ...token } = found;
  return revokedAt ? refused("revoked") : { kind: "token", ...token };
}

/**
 * Creates a token for the actor. This is the only time that the secret is returned.
 * @throws AppError `rate_limited`; `unauthorized` when the session or the user ended meanwhile
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
    const { id: userId } = await lockActorInSession(tx, actor);
    const [created] = await tx
      .insert(tokens)
      .values({ id: newId(), userId, name, prefix: token.slice(0, PREFIX_CHARS), secretHash: hashSecret(token) })
      .returning(TOKEN_COLUMNS);
    if (!created) throw new Error("An insert returned no row.");
    await recordAct(tx, { act: "token.created", actor, target: { type: "token", id: created.id, name }, caller });
    return { ...created, token };
  });
}

/** A user's tokens, including revoked ones, or a selection of them. @throws as {@link readListOfTokens} */
export async function listTokens(
  userId: string,
  reader: Reader = {},
  selection: Selection = {},
): Promise<TokenRecord[]> {
  const read = (ids: string[]) =>
    query((db) =>
      db
        .select(TOKEN_COLUMNS)
        .from(tokens)
        .where(isOneOf(tokens.id, ids))
        .orderBy(...orderOf(selection)),
    );
  return await readListOfTokens(userId, { ...reader, selection }, read);
}

/** The tokens of all users whose prefix matches. @param text a secret, or its first {@link PREFIX_CHARS} characters */
export async function findTokensByPrefix(text: string): Promise<TokenRecord[]> {
  return await query((db) =>
    db
      .select(TOKEN_COLUMNS)
      .from(tokens)
      .where(eq(tokens.prefix, text.slice(0, PREFIX_CHARS))),
  );
}

const noSuchToken = () => new AppError("not_found", "There is no such token.");

/**
 * Revokes a token for good. A token that is revoked already stays as it is.
 * @throws AppError `not_found` when there is none, or when the actor may not see it; `unauthorized` when the actor's session
 * or user ended meanwhile
 */
export async function revokeToken({
  actor,
  id,
  caller,
}: {
  actor: AdminActor;
  id: string;
  caller: Caller;
}): Promise<void> {
  if (!isId(id)) throw noSuchToken();
  await transaction(async (tx) => {
    const [token] = await tx
      .select({ userId: tokens.userId, name: tokens.name, revokedAt: tokens.revokedAt })
      .from(tokens)
      .where(eq(tokens.id, id))
      .for("update");
    const current = actor.kind === "session" ? { ...actor, user: await readActor(tx, actor) } : actor;
    if (!token || !(current.kind === "operator" || maySeeTokensOf(current, token.userId))) throw noSuchToken();
    if (token.revokedAt) return;
    await tx.update(tokens).set({ revokedAt: sql`now()` }).where(eq(tokens.id, id));
    await recordAct(tx, { act: "token.revoked", actor, target: { type: "token", id, name: token.name }, caller });
  });
}

/**
 * Saves that a token was just used. It waits for the database for at most {@link TOKEN_USED_WAIT_MS} and never throws, because
 * the image is already rendered.
 */
export async function noteTokenUse({ tokenId }: TokenActor): Promise<void> {
  const interval = sql`${TOKEN_USED_INTERVAL_SECONDS} * interval '1 second'`;
  // A time in the future is that of a clock that was ahead.
  const isStale = or(
    isNull(tokens.lastUsedAt),
    sql`${tokens.lastUsedAt} not between now() - ${interval} and now() + ${interval}`,
  );
  const update = query(
    (db) =>
      db
        .update(tokens)
        .set({ lastUsedAt: sql`now()` })
        .where(and(eq(tokens.id, tokenId), isStale)),
    "background",
  ).catch((error: unknown) => warnRarely({ err: error, tokenId }, "The last use of a token could not be saved."));
  const waiting = new AbortController();
  const limit = sleep(TOKEN_USED_WAIT_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([update, limit]);
  waiting.abort();
}
