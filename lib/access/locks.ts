import { and, eq } from "drizzle-orm";
import type { Transaction } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import type { SessionActor } from "./actor.ts";

/*
 * Every transaction takes its locks in this order, so that none waits for another in a circle: the user's row, then the
 * rows that belong to the user. None locks two users.
 */

type LockedUser = typeof users.$inferSelect;

/** What one is told whose session was good when the request began, and is not any more. */
export function signedOut(): AppError {
  return new AppError("unauthorized", "Please sign in.");
}

/** Holds a user as they are until the transaction ends. */
export async function lockUser(tx: Transaction, id: string): Promise<LockedUser | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for("update");
  return user;
}

/** Holds the user who acts. @throws AppError `unauthorized` when they were deleted or deactivated since they were known */
export async function lockActor(tx: Transaction, actor: SessionActor): Promise<LockedUser> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, actor.user.id), eq(users.status, "active")))
    .for("update");
  if (!user) throw signedOut();
  return user;
}
