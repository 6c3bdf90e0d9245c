import { and, eq, gt, sql } from "drizzle-orm";
import type { Transaction } from "#lib/db/database.ts";
import { sessions, users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { type Operator, type SessionActor, USER_COLUMNS, type UserRecord } from "./actor.ts";

/*
 * A request is authenticated before its transaction begins. These functions check inside the transaction whether the actor
 * may still act.
 *
 * Every transaction locks the user's row first and then the rows that belong to that user. No transaction locks two users.
 * This order prevents deadlocks.
 */

type LockedUser = typeof users.$inferSelect;

/** Error for a session or a user that ended during the request. */
export function sessionEnded(): AppError {
  return new AppError("unauthorized", "Your session has ended. Please sign in again.");
}

/** Locks a user's row until the transaction ends. */
export async function lockUser(tx: Transaction, id: string): Promise<LockedUser | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for("update");
  return user;
}

/** Locks the actor's own row. @throws AppError `unauthorized` when the user was deleted or deactivated meanwhile */
export async function lockActor(tx: Transaction, actor: SessionActor): Promise<LockedUser> {
  const user = await lockUser(tx, actor.user.id);
  if (user?.status !== "active") throw sessionEnded();
  return user;
}

/**
 * The actor's user as of this statement.
 * @throws AppError `unauthorized` when the session has ended meanwhile, or the user was deleted or deactivated
 */
export async function readActor(tx: Transaction, actor: SessionActor): Promise<UserRecord> {
  const [user] = await tx
    .select(USER_COLUMNS)
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(and(eq(sessions.id, actor.sessionId), gt(sessions.expiresAt, sql`now()`), eq(users.status, "active")));
  if (!user) throw sessionEnded();
  return user;
}

/** {@link lockActor}, and then {@link readActor}: every change that ends a session locks its user first. */
export async function lockActorInSession(tx: Transaction, actor: SessionActor): Promise<LockedUser> {
  const user = await lockActor(tx, actor);
  await readActor(tx, actor);
  return user;
}

/** An actor that may manage users: an administrator with a session, or an operator who runs commands on the machine. */
export type AdminActor = SessionActor | Operator;

/** @throws AppError `unauthorized` when the actor's session or user ended meanwhile, `forbidden` when demoted */
export async function requireStillAdministrator(tx: Transaction, actor: AdminActor): Promise<void> {
  if (actor.kind === "operator") return;
  const { role } = await readActor(tx, actor);
  if (role !== "admin") throw new AppError("forbidden", "Only an administrator may do this.");
}
