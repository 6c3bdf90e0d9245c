import { and, desc, eq, gt, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import { type Executor, query, type Transaction, transaction } from "#lib/db/database.ts";
import { devices, sessions, unknownLogins } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/schemas/scalars.ts";
import { UNKNOWN_LOGINS_PER_USER } from "../access-limits.ts";
import type { Caller, SessionActor } from "../actor.ts";
import { recordAct, userTarget } from "../audit-trail.ts";
import { newId } from "../new-id.ts";
import { describeDevice } from "../own-sessions.ts";
import { lockActorInSession } from "../transaction-guards.ts";

/*
 * A login from a browser that the account did not know is shown to the account until it is confirmed there. The browser
 * itself may confirm it too, but only for itself. Otherwise a thief of a password could hide his own login.
 */

type Begun = {
  user: { id: string; lastLoginAt: Date | null };
  sessionId: string;
  deviceId: string;
  caller: Caller;
};

/** Whether a login is the account's first. `lastLoginAt` was read before the account was locked, and others may have been first. */
async function isFirstLogin(tx: Transaction, { user, deviceId }: Begun): Promise<boolean> {
  if (user.lastLoginAt !== null) return false;
  const others = and(eq(devices.userId, user.id), sql`${devices.id} <> ${deviceId}`);
  return (await tx.$count(devices, others)) === 0;
}

/**
 * Notes a login from an unknown browser, except the first login of an account. The oldest ones above
 * {@link UNKNOWN_LOGINS_PER_USER} are dropped. The transaction must hold the lock of the user's row.
 * @param begun `user` as it was before the login
 */
export async function noteUnknownLogin(tx: Transaction, begun: Begun): Promise<void> {
  if (await isFirstLogin(tx, begun)) return;
  const { user, sessionId, deviceId, caller } = begun;
  const { address, userAgent } = caller;
  const userId = user.id;
  await tx.insert(unknownLogins).values({ id: newId(), userId, sessionId, deviceId, address, userAgent });
  const kept = tx
    .select({ id: unknownLogins.id })
    .from(unknownLogins)
    .where(eq(unknownLogins.userId, userId))
    .orderBy(desc(unknownLogins.at), desc(unknownLogins.id))
    .limit(UNKNOWN_LOGINS_PER_USER);
  await tx.delete(unknownLogins).where(and(eq(unknownLogins.userId, userId), notInArray(unknownLogins.id, kept)));
}

/** A login from an unknown browser, as its own user may see it. */
type UnknownLogin = {
  id: string;
  at: Date;
  address: string | null;
  userAgent: string | null;
  /** Such as "Firefox on Linux". */
  device: string;
  /** Whether that browser has a live session. */
  signedIn: boolean;
  /** Whether it is the browser of this request. */
  current: boolean;
};

/** The device of a session. Null for a session that began before there were devices. */
async function deviceOf(db: Executor, sessionId: string): Promise<string | null> {
  const [own] = await db.select({ deviceId: sessions.deviceId }).from(sessions).where(eq(sessions.id, sessionId));
  return own?.deviceId ?? null;
}

/** The logins of a user that are shown to one of their browsers. */
function shownTo(device: string | null, userId: string): SQL | undefined {
  const isHidden = sql`(${unknownLogins.isConfirmedThere} and ${unknownLogins.deviceId} is not distinct from ${device}::uuid)`;
  return and(eq(unknownLogins.userId, userId), sql`not ${isHidden}`);
}

/** The logins from unknown browsers that were not confirmed, the newest first. @throws AppError `unavailable` */
export async function listUnknownLogins({ sessionId, user }: SessionActor): Promise<UnknownLogin[]> {
  return await query(async (db) => {
    const own = await deviceOf(db, sessionId);
    const rows = await db
      .select()
      .from(unknownLogins)
      .where(shownTo(own, user.id))
      .orderBy(desc(unknownLogins.at), desc(unknownLogins.id));
    const live = await db
      .selectDistinct({ deviceId: sessions.deviceId })
      .from(sessions)
      .where(and(eq(sessions.userId, user.id), gt(sessions.expiresAt, sql`now()`)));
    const signedIn = new Set(live.map(({ deviceId }) => deviceId));
    return rows.map(({ deviceId, userAgent, ...row }) => ({
      ...row,
      userAgent,
      device: describeDevice(userAgent),
      signedIn: signedIn.has(deviceId),
      current: deviceId === own,
    }));
  });
}

const noSuchLogin = () => new AppError("not_found", "There is no such login to confirm.");

type OnLogins = { actor: SessionActor; caller: Caller };

/** @returns those of the logins that are shown to the actor's browser */
async function lockShown(tx: Transaction, { sessionId, user }: SessionActor, id?: string) {
  const own = await deviceOf(tx, sessionId);
  const rows = await tx
    .select()
    .from(unknownLogins)
    .where(and(shownTo(own, user.id), id === undefined ? undefined : eq(unknownLogins.id, id)))
    .for("update");
  return { own, rows };
}

type Shown = Awaited<ReturnType<typeof lockShown>>;

/** Ends the notices about these logins. The notice about the actor's own browser ends only in that browser. */
async function confirmShown(tx: Transaction, { own, rows }: Shown): Promise<void> {
  const [there, elsewhere] = [true, false].map((isOwn) =>
    rows.filter(({ deviceId }) => (deviceId === own) === isOwn).map(({ id }) => id),
  ) as [string[], string[]];
  if (there.length > 0)
    await tx.update(unknownLogins).set({ isConfirmedThere: true }).where(inArray(unknownLogins.id, there));
  if (elsewhere.length > 0) await tx.delete(unknownLogins).where(inArray(unknownLogins.id, elsewhere));
}

/** The session that a login began, for the audit trail. */
function loginTarget({ sessionId, userAgent }: Shown["rows"][number]) {
  return { type: "session", id: sessionId, name: describeDevice(userAgent) } as const;
}

/**
 * Confirms that the user was behind a login.
 * @throws AppError `not_found` when there is none to confirm; `unauthorized` when the session or the user ended meanwhile
 */
export async function confirmLogin({ actor, id, caller }: OnLogins & { id: string }): Promise<void> {
  if (!isId(id)) throw noSuchLogin();
  await transaction(async (tx) => {
    await lockActorInSession(tx, actor);
    const shown = await lockShown(tx, actor, id);
    const [login] = shown.rows;
    if (!login) throw noSuchLogin();
    await confirmShown(tx, shown);
    await recordAct(tx, { act: "login.confirmed", actor, target: loginTarget(login), caller });
  });
}

/** Confirms every login that is shown. @throws AppError `unauthorized` when the session or the user ended meanwhile */
export async function confirmAllLogins({ actor, caller }: OnLogins): Promise<void> {
  await transaction(async (tx) => {
    await lockActorInSession(tx, actor);
    const shown = await lockShown(tx, actor);
    if (shown.rows.length === 0) return;
    await confirmShown(tx, shown);
    const detail = { logins: String(shown.rows.length) };
    await recordAct(tx, { act: "login.confirmed", actor, target: userTarget(actor.user), detail, caller });
  });
}

/**
 * Signs the browser of a login out: ends its sessions, and forgets it, so that its next login is one from an unknown browser
 * again. The login stays listed until it is confirmed. A browser that is signed out and forgotten stays so, which is not recorded.
 * @returns whether it was the browser of this request
 * @throws AppError as {@link confirmLogin}
 */
export async function disownLogin({ actor, id, caller }: OnLogins & { id: string }): Promise<boolean> {
  if (!isId(id)) throw noSuchLogin();
  return await transaction(async (tx) => {
    await lockActorInSession(tx, actor);
    const { own, rows } = await lockShown(tx, actor, id);
    const [login] = rows;
    if (!login) throw noSuchLogin();
    const ofDevice = and(eq(sessions.userId, actor.user.id), eq(sessions.deviceId, login.deviceId));
    const ended = await tx.delete(sessions).where(ofDevice).returning({ id: sessions.id });
    const isKnown = and(eq(devices.userId, actor.user.id), eq(devices.id, login.deviceId));
    const forgotten = await tx.delete(devices).where(isKnown).returning({ id: devices.id });
    // The login stays listed. Without this, a client in a loop could fill the audit trail.
    if (ended.length === 0 && forgotten.length === 0) return login.deviceId === own;
    const detail = { sessions: String(ended.length) };
    await recordAct(tx, { act: "login.disowned", actor, target: loginTarget(login), detail, caller });
    return login.deviceId === own;
  });
}
