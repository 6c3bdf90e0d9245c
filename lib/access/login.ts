import { and, eq, sql } from "drizzle-orm";
import { query, transaction } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { LOGIN_PER_ACCOUNT, LOGIN_PER_ADDRESS } from "./access-limits.ts";
import { type Caller, USER_COLUMNS, type UserRecord } from "./actor.ts";
import { addressGroup } from "./address-group.ts";
import { recordAct, userTarget } from "./audit-trail.ts";
import { verifyPassword } from "./passwords.ts";
import { beginSession, endSession } from "./sessions.ts";
import { refundAttempt, takeAttempt } from "./throttle.ts";

type Login = {
  /** As the email schema returns it. */
  email: string;
  password: string;
  /** The secret of the browser's current session. The login ends that session. */
  presented?: string | undefined;
  caller: Caller;
  signal?: AbortSignal | undefined;
};

type Candidate = typeof users.$inferSelect;

async function findByEmail(email: string): Promise<Candidate | undefined> {
  const [user] = await query((db) =>
    db
      .select()
      .from(users)
      .where(eq(sql`lower(${users.email})`, email)),
  );
  return user;
}

/**
 * Records a failed login. The error is the same for an unknown email, a wrong password and a deactivated user. The email is
 * not recorded: people type passwords into the wrong field.
 */
async function refuse(user: Candidate | undefined, caller: Caller): Promise<AppError> {
  const target = user && userTarget(user);
  await query((db) => recordAct(db, { act: "login.failed", actor: { kind: "anonymous" }, target, caller }));
  return wrongLogin();
}

function wrongLogin(): AppError {
  return new AppError("unauthorized", "The email or the password is wrong.");
}

/**
 * Creates the session. The update matches only the row that was verified.
 * @throws AppError `unauthorized` when the password was changed, or the user deactivated or deleted, during verification
 */
async function createSession(user: Candidate, { presented, caller }: Login) {
  return await transaction(async (tx) => {
    const [signedIn] = await tx
      .update(users)
      .set({ lastLoginAt: sql`now()` })
      .where(and(eq(users.id, user.id), eq(users.status, "active"), eq(users.passwordHash, user.passwordHash)))
      .returning(USER_COLUMNS);
    if (!signedIn) throw wrongLogin();
    const { id: sessionId, secret } = await beginSession(tx, { userId: signedIn.id, caller });
    await endSession(tx, presented);
    const actor = { kind: "session", sessionId, user: signedIn } as const;
    await recordAct(tx, { act: "login", actor, target: userTarget(signedIn), caller });
    return { user: signedIn, secret };
  });
}

/**
 * Begins a session that replaces the presented one. An attempt is counted before the password is verified: first for the
 * address and then for the account. The right password gives both attempts back.
 * @returns the user, and the secret for the cookie
 * @throws AppError `rate_limited`, `unauthorized`, `overloaded`, `unavailable`; the signal's reason
 */
export async function logIn(login: Login): Promise<{ user: UserRecord; secret: string }> {
  const { email, password, caller, signal } = login;
  const byAddress = { allowance: LOGIN_PER_ADDRESS, name: addressGroup(caller.address) };
  const byAccount = { allowance: LOGIN_PER_ACCOUNT, name: email };
  await takeAttempt(byAddress);
  await takeAttempt(byAccount).catch(async (error: unknown) => {
    // No password was tried. If this counted, a hundred tries at one account would lock a whole office out of every account.
    await refundAttempt(byAddress);
    throw error;
  });
  const user = await findByEmail(email);
  const isRight = await verifyPassword({ hash: user?.passwordHash, password, signal });
  if (!user || !isRight || user.status !== "active") throw await refuse(user, caller);
  const session = await createSession(user, login);
  await Promise.all([refundAttempt(byAddress), refundAttempt(byAccount)]);
  return session;
}

/** Ends the presented session, if there is one. @throws AppError `unavailable` */
export async function logOut({ presented, caller }: { presented?: string | undefined; caller: Caller }): Promise<void> {
  if (presented === undefined) return;
  await transaction(async (tx) => {
    const ended = await endSession(tx, presented);
    if (!ended) return;
    const [user] = await tx.select(USER_COLUMNS).from(users).where(eq(users.id, ended.userId));
    if (!user) return;
    const actor = { kind: "session", sessionId: ended.id, user } as const;
    await recordAct(tx, { act: "logout", actor, target: userTarget(user), caller });
  });
}
