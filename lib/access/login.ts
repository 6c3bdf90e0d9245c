import { and, eq, sql } from "drizzle-orm";
import { type Executor, query, transaction } from "#lib/db/database.ts";
import type { Lane } from "#lib/db/lanes.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { SESSIONS_PER_USER } from "./access-limits.ts";
import { type Caller, USER_COLUMNS, type UserRecord } from "./actor.ts";
import { recordAct, userTarget } from "./audit-trail.ts";
import { admitLogin } from "./login/admission.ts";
import { createDeviceSecret } from "./login/device-secrets.ts";
import { findDevice, rememberDevice } from "./login/devices.ts";
import { limitInFlight } from "./login/in-flight.ts";
import { noteUnknownLogin } from "./login/unknown-logins.ts";
import { verifyPassword } from "./passwords.ts";
import { beginSession, endSession, hasSession } from "./sessions.ts";
import { refundAttempts, takeAttempt } from "./throttle.ts";

type Login = {
  /** As the email schema returns it. */
  email: string;
  password: string;
  /** The secret of the browser's current session. The login ends that session. */
  presented?: string | undefined;
  /** The value of the browser's device cookie. */
  deviceCookie?: string | undefined;
  caller: Caller;
  signal?: AbortSignal | undefined;
};

type Logout = Pick<Login, "presented" | "caller">;

type Candidate = typeof users.$inferSelect;

/** Those of known browsers do not wait for a flood of strangers' logins. */
const laneOf = (device: string | undefined): Lane => (device === undefined ? "logins" : "owners");

async function findByEmail(email: string, lane: Lane): Promise<Candidate | undefined> {
  const [user] = await query(
    (db) =>
      db
        .select()
        .from(users)
        .where(eq(sql`lower(${users.email})`, email)),
    lane,
  );
  return user;
}

/**
 * Records a failed login. The error is the same for an unknown email, a wrong password and a deactivated user. The email is
 * not recorded: people type passwords into the wrong field.
 */
async function refuse(user: Candidate | undefined, caller: Caller, lane: Lane): Promise<AppError> {
  const target = user && userTarget(user);
  const failure = { act: "login.failed", actor: { kind: "anonymous" }, target, caller } as const;
  await query((db) => recordAct(db, failure), lane);
  return wrongLogin();
}

function wrongLogin(): AppError {
  return new AppError("unauthorized", "The email or the password is wrong.");
}

/**
 * Ends the presented session, and records a logout.
 * @param successor the user who signs in instead. If the session was theirs too, no logout is recorded.
 */
async function endPresented(tx: Executor, { presented, caller }: Logout, successor?: string): Promise<void> {
  const ended = await endSession(tx, presented);
  if (!ended || ended.userId === successor) return;
  const [user] = await tx.select(USER_COLUMNS).from(users).where(eq(users.id, ended.userId));
  if (!user) return;
  const actor = { kind: "session", sessionId: ended.id, user } as const;
  await recordAct(tx, { act: "logout", actor, target: userTarget(user), caller });
}

/**
 * Creates the session and remembers the browser. The update matches only the row that was verified.
 * @param device the id of the browser's device, as {@link findDevice} returns it
 * @throws AppError `unauthorized` when the password was changed, or the user deactivated or deleted, during verification
 */
async function createSession(user: Candidate, device: string | undefined, { presented, deviceCookie, caller }: Login) {
  await takeAttempt({ allowance: SESSIONS_PER_USER, name: user.id });
  const newSecret = await createDeviceSecret();
  return await transaction(async (tx) => {
    const [signedIn] = await tx
      .update(users)
      .set({ lastLoginAt: sql`now()` })
      .where(and(eq(users.id, user.id), eq(users.status, "active"), eq(users.passwordHash, user.passwordHash)))
      .returning(USER_COLUMNS);
    if (!signedIn) throw wrongLogin();
    const userId = signedIn.id;
    const { id: deviceId, ...remembered } = await rememberDevice(tx, {
      userId,
      known: device,
      cookie: deviceCookie,
      newSecret,
    });
    const { id: sessionId, secret } = await beginSession(tx, { userId, deviceId, caller });
    await endPresented(tx, { presented, caller }, userId);
    if (deviceId !== device) await noteUnknownLogin(tx, { user, sessionId, deviceId, caller });
    const actor = { kind: "session", sessionId, user: signedIn } as const;
    await recordAct(tx, { act: "login", actor, target: userTarget(signedIn), caller });
    return { user: signedIn, secret, deviceCookie: remembered.cookie };
  }, "owners");
}

type Begun = { user: UserRecord; secret: string; deviceCookie: string };

async function verifyAndBegin(login: Login, device: string | undefined): Promise<Begun> {
  const { email, password, caller, signal } = login;
  const attempts = await admitLogin({ email, address: caller.address, device });
  const user = await findByEmail(email, laneOf(device));
  const isRight = await verifyPassword({ hash: user?.passwordHash, password, signal, isKnown: device !== undefined });
  if (!user || !isRight || user.status !== "active") throw await refuse(user, caller, laneOf(device));
  const session = await createSession(user, device, login);
  await refundAttempts(attempts, "owners");
  return session;
}

/**
 * Begins a session that replaces the presented one. The login is counted before the password is verified, and the right
 * password gives the attempts back.
 * @returns the user, the secret for the cookie of the session, and the value of the device cookie
 * @throws AppError `rate_limited`, `unauthorized`, `overloaded`, `unavailable`; the signal's reason
 */
export async function logIn(login: Login): Promise<Begun> {
  const device = await findDevice(login.email, login.deviceCookie);
  const { address } = login.caller;
  return await limitInFlight({ address, device }, () => verifyAndBegin(login, device));
}

/** Ends the presented session, if there is one. @throws AppError `unavailable` */
export async function logOut(logout: Logout): Promise<void> {
  if (logout.presented === undefined || !(await hasSession(logout.presented))) return;
  await transaction((tx) => endPresented(tx, logout));
}
