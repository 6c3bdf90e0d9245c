import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#lib/db/database.ts";
import { isUniqueViolation, sqlState } from "#lib/db/database-faults.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { type Actor, type Caller, type Operator, USER_COLUMNS, type UserRecord } from "./actor.ts";
import { type Act, recordAct, userTarget } from "./audit-trail.ts";
import { carryLoginLimit } from "./login/admission.ts";

/** Changes of a user. A value that is absent or undefined stays as it is. */
export type UserChanges = {
  email?: string | undefined;
  name?: string | undefined;
  role?: "user" | "admin" | undefined;
  status?: "active" | "deactivated" | undefined;
};

/** The SQLSTATE of the trigger `users_keep_last_admin` in `drizzle/0000_access.sql`. */
const LAST_ADMIN = "ZA001";

/**
 * Turns the database's refusals into errors for the client.
 * @throws AppError `email_taken`, `last_admin`; otherwise what `run` throws
 */
export async function translateRefusals<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isUniqueViolation(error, "users_email_unique"))
      throw new AppError("email_taken", "Another user has this email already.", { cause: error });
    if (sqlState(error) === LAST_ADMIN)
      throw new AppError("last_admin", "This is the last active administrator, and one has to stay.", { cause: error });
    throw error;
  }
}

type Saving = {
  /** The row as this transaction has locked it. */
  user: typeof users.$inferSelect;
  changes: UserChanges;
  act: Act;
  actor: Actor | Operator;
  caller: Caller;
};

/** Saves and records the values that differ from the locked row. @returns the user afterwards */
export async function saveChanges(tx: Transaction, { user, changes, act, actor, caller }: Saving): Promise<UserRecord> {
  const { passwordHash: _, ...record } = user;
  const differing = Object.fromEntries(
    Object.entries(changes).filter(([key, value]) => value !== undefined && value !== user[key as keyof UserChanges]),
  ) as Record<string, string>;
  if (Object.keys(differing).length === 0) return record;
  const [saved] = await tx
    .update(users)
    .set({ ...differing, updatedAt: sql`now()` })
    .where(eq(users.id, user.id))
    .returning(USER_COLUMNS);
  if (!saved) throw new Error("A locked user was not updated.");
  if (saved.email !== user.email) await carryLoginLimit(tx, { from: user.email, to: saved.email });
  await recordAct(tx, { act, actor, target: userTarget(user), detail: differing, caller });
  return saved;
}
