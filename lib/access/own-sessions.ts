import Bowser from "bowser";
import { and, desc, eq, getTableColumns, gt, ne, sql } from "drizzle-orm";
import { query, transaction } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/schemas/scalars.ts";
import { SESSIONS_KEPT } from "./access-limits.ts";
import type { Caller, SessionActor } from "./actor.ts";
import { recordAct, userTarget } from "./audit-trail.ts";
import { lockActorInSession } from "./transaction-guards.ts";

const { secretHash: _hash, userId: _user, deviceId: _device, ...SESSION_COLUMNS } = getTableColumns(sessions);

/** A session as its own user may see it. */
type SessionRecord = {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
  /** Such as "Firefox on Linux". */
  device: string;
  /** Whether this request belongs to the session. */
  current: boolean;
};

const isAlive = gt(sessions.expiresAt, sql`now()`);

/** The product name of a user agent that is not a browser: `curl` of `curl/8.5.0`. */
const PRODUCT = /^[\w.-]{1,40}/;

/** A user agent for people to read: "Firefox on Linux", "curl", or "Unknown device". */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name && os.name) return `${browser.name} on ${os.name}`;
  return browser.name || os.name || (PRODUCT.exec(userAgent)?.[0] ?? "Unknown device");
}

/** The actor's sessions: the current one first, then the most recently seen. @throws AppError `unavailable` */
export async function listOwnSessions({ sessionId, user }: SessionActor): Promise<SessionRecord[]> {
  const rows = await query((db) =>
    db
      .select(SESSION_COLUMNS)
      .from(sessions)
      .where(and(eq(sessions.userId, user.id), isAlive))
      .orderBy(sql`${sessions.id} = ${sessionId} desc`, desc(sessions.lastSeenAt), desc(sessions.id))
      .limit(SESSIONS_KEPT),
  );
  return rows.map((row) => ({ ...row, device: describeDevice(row.userAgent), current: row.id === sessionId }));
}

const noSuchSession = () => new AppError("not_found", "There is no such session.");

/**
 * Ends one of the actor's own sessions. When two browsers end each other's session at the same moment, one session stays.
 * @returns whether it was the current one
 * @throws AppError `not_found` when the session does not exist or belongs to another user; `unauthorized` when the
 * actor's own session has ended
 */
export async function endOwnSession(ending: { actor: SessionActor; id: string; caller: Caller }): Promise<boolean> {
  const { actor, id, caller } = ending;
  if (!isId(id)) throw noSuchSession();
  return await transaction(async (tx) => {
    await lockActorInSession(tx, actor);
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

/** Ends all of the actor's sessions except the current one. @throws AppError `unauthorized` when that one has ended */
export async function endOtherSessions({ actor, caller }: { actor: SessionActor; caller: Caller }): Promise<void> {
  await transaction(async (tx) => {
    await lockActorInSession(tx, actor);
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, actor.user.id), ne(sessions.id, actor.sessionId), isAlive))
      .returning({ id: sessions.id });
    if (ended.length === 0) return;
    const detail = { sessions: String(ended.length) };
    await recordAct(tx, { act: "sessions.ended", actor, target: userTarget(actor.user), detail, caller });
  });
}
