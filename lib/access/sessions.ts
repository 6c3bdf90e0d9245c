import { and, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { type Executor, query } from "#lib/db/database.ts";
import { sessions, users } from "#lib/db/schema.ts";
import { log } from "#lib/log.ts";
import { SESSION_LIFETIME_SECONDS, SESSION_SEEN_INTERVAL_SECONDS } from "./access-limits.ts";
import { type Caller, type SessionActor, USER_COLUMNS } from "./actor.ts";
import { createSecret, hashSecret, isSecret } from "./secret.ts";

/** A lifetime from now, on the clock that it is compared with. */
const expiry = sql`now() + ${SESSION_LIFETIME_SECONDS} * interval '1 second'`;

const seenLately: SQL<boolean> = sql`${sessions.lastSeenAt} > now() - ${SESSION_SEEN_INTERVAL_SECONDS} * interval '1 second'`;

/**
 * Who holds this secret: its session while it lives, with the user as of now while they are active. One query.
 * @throws AppError `unavailable`
 */
export async function findSession(secret: string): Promise<SessionActor | undefined> {
  if (!isSecret(secret)) return undefined;
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
  if (!found.seenLately) void noteSeen(found.sessionId);
  return { kind: "session", sessionId: found.sessionId, user: found.user };
}

/** No request waits for this, and none fails by it. */
async function noteSeen(id: string): Promise<void> {
  const seen = query((db) =>
    db
      .update(sessions)
      .set({ lastSeenAt: sql`now()` })
      .where(and(eq(sessions.id, id), sql`not ${seenLately}`)),
  );
  await seen.catch((error: unknown) => log().debug({ err: error }, "A session's last use could not be noted."));
}

/** Begins a session. The user's row must be locked by this transaction. @returns its secret too, which is stored nowhere */
export async function beginSession(
  tx: Executor,
  { userId, caller }: { userId: string; caller: Caller },
): Promise<{ id: string; secret: string }> {
  const id = uuidv7();
  const secret = createSecret();
  await tx.insert(sessions).values({
    id,
    userId,
    secretHash: hashSecret(secret),
    expiresAt: expiry,
    address: caller.address,
    userAgent: caller.userAgent,
  });
  return { id, secret };
}

/** Gives a session another secret and its whole lifetime again. @returns undefined when it has ended meanwhile */
export async function renewSession(tx: Executor, id: string): Promise<string | undefined> {
  const secret = createSecret();
  const renewed = await tx
    .update(sessions)
    .set({ secretHash: hashSecret(secret), expiresAt: expiry, lastSeenAt: sql`now()` })
    .where(and(eq(sessions.id, id), gt(sessions.expiresAt, sql`now()`)))
    .returning({ id: sessions.id });
  return renewed.length > 0 ? secret : undefined;
}

/** Ends the session of a secret, if there is one. @returns what it was */
export async function endSession(
  tx: Executor,
  secret: string | undefined,
): Promise<{ id: string; userId: string } | undefined> {
  if (secret === undefined || !isSecret(secret)) return undefined;
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.secretHash, hashSecret(secret)))
    .returning({ id: sessions.id, userId: sessions.userId });
  return ended;
}

/** Ends every session of a user, or every one but `except`. The user's row must be locked by this transaction. */
export async function endSessionsOf(tx: Executor, userId: string, except?: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except) : undefined));
}
