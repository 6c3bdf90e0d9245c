import { and, desc, eq, gt, ne, notInArray, type SQL, sql } from "drizzle-orm";
import { type Executor, query } from "#lib/db/database.ts";
import { sessions, users } from "#lib/db/schema.ts";
import { log } from "#lib/log.ts";
import { SESSION_LIFETIME_SECONDS, SESSION_SEEN_INTERVAL_SECONDS, SESSIONS_KEPT } from "./access-limits.ts";
import { type Caller, type SessionActor, USER_COLUMNS } from "./actor.ts";
import { newId } from "./new-id.ts";
import { createCookieSecret, hashSecret, isCookieSecret } from "./secrets.ts";

/** One lifetime from now, on the database's clock, which also checks it. */
const expiry = sql`now() + ${SESSION_LIFETIME_SECONDS} * interval '1 second'`;

const seenInterval = sql`${SESSION_SEEN_INTERVAL_SECONDS} * interval '1 second'`;

/** A time in the future is that of a clock that was ahead. */
const seenLately: SQL<boolean> = sql`(${sessions.lastSeenAt} between now() - ${seenInterval} and now() + ${seenInterval})`;

/**
 * The live session of a secret, with its user as of now. Undefined unless the user is active. One query.
 * @throws AppError `unavailable`
 */
export async function findSession(secret: string): Promise<SessionActor | undefined> {
  if (!isCookieSecret(secret)) return undefined;
  const rows = await query((db) =>
    db
      .select({ sessionId: sessions.id, seenLately, user: USER_COLUMNS })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(
          eq(sessions.secretHash, hashSecret(secret)),
          gt(sessions.expiresAt, sql`now()`),
          eq(users.status, "active"),
        ),
      ),
  );
  const [found] = rows;
  if (!found) return undefined;
  if (!found.seenLately) void updateLastSeen(found.sessionId);
  return { kind: "session", sessionId: found.sessionId, user: found.user };
}

/** Whether a secret is one of a session. One query, so that an invented one costs no transaction. @throws AppError `unavailable` */
export async function hasSession(secret: string): Promise<boolean> {
  if (!isCookieSecret(secret)) return false;
  const count = await query((db) => db.$count(sessions, eq(sessions.secretHash, hashSecret(secret))));
  return count > 0;
}

/** Runs in the background: no request waits for it or fails because of it. */
async function updateLastSeen(id: string): Promise<void> {
  const update = query(
    (db) =>
      db
        .update(sessions)
        .set({ lastSeenAt: sql`now()` })
        .where(and(eq(sessions.id, id), sql`not ${seenLately}`)),
    "background",
  );
  await update.catch((error: unknown) => log().debug({ err: error }, "A session's last use could not be saved."));
}

/** Ends the sessions above {@link SESSIONS_KEPT}: the least recently seen. */
async function limitSessions(tx: Executor, { userId, added }: { userId: string; added: string }): Promise<void> {
  const isOther = and(eq(sessions.userId, userId), ne(sessions.id, added));
  const kept = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(isOther)
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(SESSIONS_KEPT - 1);
  await tx.delete(sessions).where(and(isOther, notInArray(sessions.id, kept)));
}

/** Creates a session. The transaction must hold the lock of the user's row. @returns its secret, which is not stored */
export async function beginSession(
  tx: Executor,
  { userId, deviceId, caller }: { userId: string; deviceId: string; caller: Caller },
): Promise<{ id: string; secret: string }> {
  const id = newId();
  const secret = createCookieSecret();
  await tx.insert(sessions).values({
    id,
    userId,
    secretHash: hashSecret(secret),
    expiresAt: expiry,
    address: caller.address,
    userAgent: caller.userAgent,
    deviceId,
  });
  await limitSessions(tx, { userId, added: id });
  return { id, secret };
}

/** Gives a session a new secret and a full lifetime. @returns undefined when the session has ended meanwhile */
export async function renewSession(tx: Executor, id: string): Promise<string | undefined> {
  const secret = createCookieSecret();
  const renewed = await tx
    .update(sessions)
    .set({ secretHash: hashSecret(secret), expiresAt: expiry, lastSeenAt: sql`now()` })
    .where(and(eq(sessions.id, id), gt(sessions.expiresAt, sql`now()`)))
    .returning({ id: sessions.id });
  return renewed.length > 0 ? secret : undefined;
}

/** Ends the session of a secret. @returns the ended session, if there was one */
export async function endSession(
  tx: Executor,
  secret: string | undefined,
): Promise<{ id: string; userId: string } | undefined> {
  if (secret === undefined || !isCookieSecret(secret)) return undefined;
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.secretHash, hashSecret(secret)))
    .returning({ id: sessions.id, userId: sessions.userId });
  return ended;
}

/** Ends every session of a user, or every one but `except`. The transaction must hold the lock of the user's row. */
export async function endSessionsOf(tx: Executor, userId: string, except?: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except) : undefined));
}
