import { and, desc, eq, getTableColumns, gt, ne, sql } from "drizzle-orm";
import { validate as isUuid } from "uuid";
import { query, type Transaction, transaction } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { SESSIONS_SHOWN } from "./access-limits.ts";
import type { Caller, SessionActor } from "./actor.ts";
import { recordAct, userTarget } from "./audit.ts";
import { describeDevice } from "./device.ts";
import { lockActor, signedOut } from "./locks.ts";

const { secretHash: _hash, userId: _user, ...SESSION_COLUMNS } = getTableColumns(sessions);

/** What a user may know of a session of theirs. */
type SessionRecord = {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
  /** Such as "Firefox on Linux". */
  device: string;
  /** Whether it is the one that asks. */
  current: boolean;
};

const isAlive = gt(sessions.expiresAt, sql`now()`);

/** The sessions of whoever is signed in, theirs first and then those seen last. @throws AppError `unavailable` */
export async function listOwnSessions({ sessionId, user }: SessionActor): Promise<SessionRecord[]> {
  const rows = await query((db) =>
    db
      .select(SESSION_COLUMNS)
      .from(sessions)
      .where(and(eq(sessions.userId, user.id), isAlive))
      .orderBy(sql`${sessions.id} = ${sessionId} desc`, desc(sessions.lastSeenAt), desc(sessions.id))
      .limit(SESSIONS_SHOWN),
  );
  return rows.map((row) => ({ ...row, device: describeDevice(row.userAgent), current: row.id === sessionId }));
}

/**
 * Holds the user who acts, in a session that goes on: of two browsers that end each other's at the same moment, one stays.
 * @throws AppError `unauthorized` when the user is gone or the session has ended meanwhile
 */
async function lockSession(tx: Transaction, actor: SessionActor): Promise<void> {
  const { id } = await lockActor(tx, actor);
  const own = and(eq(sessions.id, actor.sessionId), eq(sessions.userId, id), isAlive);
  const [alive] = await tx.select({ id: sessions.id }).from(sessions).where(own);
  if (!alive) throw signedOut();
}

const noSuchSession = () => new AppError("not_found", "There is no such session.");

/**
 * Ends one of the actor's own sessions, which may be the one that asks.
 * @returns whether it was that one
 * @throws AppError `not_found` where there is none, or another user's; `unauthorized` when the actor's has ended meanwhile
 */
export async function endOwnSession(ending: { actor: SessionActor; id: string; caller: Caller }): Promise<boolean> {
  const { actor, id, caller } = ending;
  if (!isUuid(id)) throw noSuchSession();
  return await transaction(async (tx) => {
    await lockSession(tx, actor);
    const [ended] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, actor.user.id), isAlive))
      .returning({ id: sessions.id, userAgent: sessions.userAgent });
    if (!ended) throw noSuchSession();
    const target = { type: "session", id: ended.id, name: describeDevice(ended.userAgent) } as const;
    await recordAct(tx, { act: "session.ended", actor, target, caller });
    return ended.id === actor.sessionId;
  });
}

/** Ends all of the actor's sessions but the one that asks. @throws AppError `unauthorized` when that has ended meanwhile */
export async function endOtherSessions({ actor, caller }: { actor: SessionActor; caller: Caller }): Promise<void> {
  await transaction(async (tx) => {
    await lockSession(tx, actor);
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, actor.user.id), ne(sessions.id, actor.sessionId), isAlive))
      .returning({ id: sessions.id });
    if (ended.length === 0) return;
    const detail = { sessions: String(ended.length) };
    await recordAct(tx, { act: "sessions.ended", actor, target: userTarget(actor.user), detail, caller });
  });
}
