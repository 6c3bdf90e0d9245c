import { and, eq, sql } from "drizzle-orm";
import { query, transaction } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { ACCOUNT_CHANGES_PER_USER, PASSWORD_CHANGE_PER_USER } from "./access-limits.ts";
import type { Caller, SessionActor, UserRecord } from "./actor.ts";
import { recordAct, userTarget } from "./audit-trail.ts";
import { forgetDevices } from "./login/devices.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { endSessionsOf, renewSession } from "./sessions.ts";
import { refundAttempts, takeAttempt } from "./throttle.ts";
import { lockActor, lockActorInSession, sessionEnded } from "./transaction-guards.ts";
import { saveChanges, translateRefusals, type UserChanges } from "./user-changes.ts";

type AccountUpdate = { actor: SessionActor; changes: Pick<UserChanges, "name" | "email">; caller: Caller };

/**
 * Changes the values that users may change about themselves. Values that stay the same are not recorded.
 * @throws AppError `rate_limited`, `email_taken`; `unauthorized` when the session or the user ended meanwhile
 */
export async function updateAccount({ actor, changes, caller }: AccountUpdate): Promise<UserRecord> {
  await takeAttempt({ allowance: ACCOUNT_CHANGES_PER_USER, name: actor.user.id });
  const { name, email } = changes;
  return await translateRefusals(() =>
    transaction(async (tx) => {
      const user = await lockActorInSession(tx, actor);
      return await saveChanges(tx, { user, changes: { name, email }, act: "account.updated", actor, caller });
    }),
  );
}

type PasswordChange = {
  actor: SessionActor;
  currentPassword: string;
  newPassword: string;
  caller: Caller;
  signal?: AbortSignal | undefined;
};

async function currentHash(actor: SessionActor): Promise<string> {
  const [user] = await query((db) =>
    db
      .select({ passwordHash: users.passwordHash })
      .from(users)
      .where(and(eq(users.id, actor.user.id), eq(users.status, "active"))),
  );
  if (!user) throw sessionEnded();
  return user.passwordHash;
}

function wrongPassword(): AppError {
  return new AppError("wrong_password", "The current password is wrong.");
}

/**
 * Sets a new password for a user who knows the current one. Every other session of the user ends, and this one gets a new
 * secret, so that a stolen cookie stops working.
 * @returns the secret for the cookie
 * @throws AppError `rate_limited`, `overloaded`; `wrong_password` also when the password was changed meanwhile;
 * `unauthorized` when the session or the user ended meanwhile
 */
export async function changePassword(change: PasswordChange): Promise<{ secret: string }> {
  const { actor, currentPassword, newPassword, caller, signal } = change;
  const attempt = { allowance: PASSWORD_CHANGE_PER_USER, name: actor.user.id };
  await takeAttempt(attempt);
  const verified = await currentHash(actor);
  if (!(await verifyPassword({ hash: verified, password: currentPassword, signal }))) {
    const target = userTarget(actor.user);
    await query((db) => recordAct(db, { act: "password.failed", actor, target, caller }));
    throw wrongPassword();
  }
  await refundAttempts([attempt]);
  await takeAttempt({ allowance: ACCOUNT_CHANGES_PER_USER, name: actor.user.id });
  const passwordHash = await hashPassword(newPassword, signal);
  return await transaction(async (tx) => {
    const user = await lockActor(tx, actor);
    if (user.passwordHash !== verified) throw wrongPassword();
    await tx.update(users).set({ passwordHash, updatedAt: sql`now()` }).where(eq(users.id, user.id));
    await endSessionsOf(tx, user.id, actor.sessionId);
    await forgetDevices(tx, user.id, actor.sessionId);
    const secret = await renewSession(tx, actor.sessionId);
    if (secret === undefined) throw sessionEnded();
    await recordAct(tx, { act: "password.changed", actor, target: userTarget(user), caller });
    return { secret };
  });
}
