import { like, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Allowance } from "#lib/access/access-limits.ts";
import type { Caller, SessionActor, TokenActor, UserRecord } from "#lib/access/actor.ts";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { createToken, findToken, type RefusedToken } from "#lib/access/tokens.ts";
import { findUsers } from "#lib/access/user-directory.ts";
import { createUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { throttle } from "#lib/db/schema.ts";
import type { ErrorCode } from "#lib/errors.ts";

export const PASSWORD = "correct horse battery staple";

/** The caller of all requests in tests. */
export const CALLER: Caller = { address: "192.0.2.1", userAgent: "Tests/1.0", requestId: "01TESTS" };

export const OPERATOR = { kind: "operator" } as const;

/** An id that no user, token or session has. */
export const NOBODY = "0199f000-0000-7000-8000-000000000000";

/** Creates a user with {@link PASSWORD}. */
export async function addUser(name: string, role: "user" | "admin" = "user"): Promise<UserRecord> {
  const user = { email: `${name}@example.com`, name, password: PASSWORD, role };
  return await createUser({ actor: OPERATOR, user, caller: CALLER });
}

/** All users, the oldest first. */
export async function listUsers(): Promise<UserRecord[]> {
  return (await findUsers({})).users;
}

/** Signs in a user with {@link PASSWORD}. @returns the session's secret and its actor */
export async function signIn({ email }: { email: string }): Promise<{ secret: string; actor: SessionActor }> {
  const { secret } = await logIn({ email, password: PASSWORD, caller: CALLER });
  const actor = await findSession(secret);
  if (!actor) throw new Error(`${email} is not signed in.`);
  return { secret, actor };
}

/** Creates a token. @returns its id, its secret and its actor */
export async function addToken(owner: SessionActor): Promise<{ id: string; token: string; actor: TokenActor }> {
  const { id, token } = await createToken({ actor: owner, name: "Deploys", caller: CALLER });
  const actor = await findToken(token);
  if (actor.kind !== "token") throw new Error("A new token is not known.");
  return { id, token, actor };
}

/** What a request with this secret of a token gets: `valid`, or why it is refused. */
export async function tokenState(secret: string): Promise<"valid" | RefusedToken["reason"]> {
  const found = await findToken(secret);
  return found.kind === "token" ? "valid" : found.reason;
}

/** Uses up an allowance for everyone who has taken an attempt of it. */
export async function fillBuckets({ kind, windowSeconds }: Allowance): Promise<void> {
  const full = sql`clock_timestamp() + ${windowSeconds} * interval '1 second'`;
  await query((db) =>
    db
      .update(throttle)
      .set({ emptyAt: full })
      .where(like(throttle.key, `${kind}:%`)),
  );
}

/** Expects an act to fail with this code of an `AppError`. */
export async function expectRefusal(act: Promise<unknown>, code: ErrorCode): Promise<void> {
  await expect(act).rejects.toMatchObject({ name: "AppError", code });
}

/** The results of concurrent acts: how many succeeded, and the error codes of the others. */
export async function outcomes(acts: Promise<unknown>[]): Promise<{ done: number; refused: unknown[] }> {
  const settled = await Promise.allSettled(acts);
  return {
    done: settled.filter(({ status }) => status === "fulfilled").length,
    refused: settled.flatMap((result) => (result.status === "rejected" ? [result.reason.code ?? result.reason] : [])),
  };
}
