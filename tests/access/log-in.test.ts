import * as argon2 from "@node-rs/argon2";
import { eq, sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { SESSIONS_KEPT, SESSIONS_PER_USER } from "#lib/access/access-limits.ts";
import { logIn, logOut } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { sessions } from "#lib/db/schema.ts";
import { email as emailSchema } from "#lib/schemas/user.ts";
import { useDatabase } from "../database.ts";
import { listAuditEvents } from "./audit-events.ts";
import { addUser, CALLER, expectRefusal, fillBuckets, OPERATOR, PASSWORD, signIn } from "./people.ts";
import { statementsOf } from "./statements.ts";

vi.mock("@node-rs/argon2", { spy: true });
useDatabase();

const attempt = (email: string, password: string, presented?: string) =>
  logIn({ email, password, presented, caller: CALLER });

async function deactivated(name: string): Promise<void> {
  const { id } = await addUser(name);
  await updateUser({ actor: OPERATOR, id, changes: { status: "deactivated" }, caller: CALLER });
}

describe("the right password", () => {
  it("begins a session of thirty days and stores the time of the login", async () => {
    const ada = await addUser("ada");
    const { user, secret } = await attempt(ada.email, PASSWORD);
    expect(user).toEqual({ ...ada, lastLoginAt: expect.any(Date) });
    expect(user).not.toHaveProperty("passwordHash");
    expect(await findSession(secret)).toMatchObject({ kind: "session", user });
    const [row] = await query((db) => db.select().from(sessions));
    expect(row).toMatchObject({ userId: ada.id, address: CALLER.address, userAgent: CALLER.userAgent });
    expect(Number(row?.expiresAt) - Number(row?.createdAt)).toBe(30 * 24 * 3_600_000);
  });

  it("signs in with an email in any case and with spaces around it", async () => {
    const ada = await addUser("ada");
    const email = emailSchema.parse("  ADA@Example.COM ");
    expect((await attempt(email, PASSWORD)).user.id).toBe(ada.id);
  });

  it("may be typed in composed or decomposed characters", async () => {
    const ada = await addUser("ada");
    const { setPassword } = await import("#lib/access/users.ts");
    await setPassword({ actor: OPERATOR, id: ada.id, password: "très-long-mot-de-passe", caller: CALLER });
    await attempt(ada.email, "tre\u0300s-long-mot-de-passe");
  });

  it("gives every login a new secret, and stores none of them", async () => {
    const ada = await addUser("ada");
    const secrets = new Set<string>();
    for (let i = 0; i < 20; i++) secrets.add((await attempt(ada.email, PASSWORD)).secret);
    expect(secrets.size).toBe(20);
    const stored = JSON.stringify(
      await query((db) => db.execute(sql`select sessions::text, audit_events::text from sessions, audit_events`)),
    );
    for (const secret of secrets) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });

  it("ends the session that the browser presents, also of another user", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    const before = await signIn(bob);
    const { secret } = await attempt(ada.email, PASSWORD, before.secret);
    expect(await findSession(before.secret)).toBeUndefined();
    expect(await findSession(secret)).toBeDefined();
    const ends = (await listAuditEvents({ limit: 100 })).filter(({ act }) => act === "logout");
    expect(ends).toMatchObject([{ actorId: bob.id, targetName: bob.email }]);
  });

  it("ends the least recently seen session of a user who has too many", async () => {
    const ada = await addUser("ada");
    const [oldest, other] = [await signIn(ada), await signIn(ada)];
    await query((db) => db.update(sessions).set({ lastSeenAt: sql`now() - interval '1 day'` }));
    await query((db) =>
      db.execute(sql`insert into sessions (id, user_id, secret_hash, expires_at, last_seen_at)
        select gen_random_uuid(), ${ada.id}, sha256(n::text::bytea), now() + interval '1 day', now() - interval '1 hour'
        from generate_series(1, ${SESSIONS_KEPT - 3}) n`),
    );
    await query((db) =>
      db.update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.id, other.actor.sessionId)),
    );
    await signIn(ada);
    expect(await query((db) => db.$count(sessions))).toBe(SESSIONS_KEPT);
    await signIn(ada);
    expect(await findSession(oldest.secret)).toBeUndefined();
    expect(await findSession(other.secret)).toBeDefined();
    expect(await query((db) => db.$count(sessions))).toBe(SESSIONS_KEPT);
  });

  it("is refused when it came thousands of times in an hour: each one is a row of the audit trail", async () => {
    const ada = await addUser("ada");
    await signIn(ada);
    await fillBuckets(SESSIONS_PER_USER);
    await expectRefusal(signIn(ada), "rate_limited");
    await expect(signIn(await addUser("bob"))).resolves.toBeDefined();
  });
});

describe("a login that is refused", () => {
  it("answers, queries and hashes the same for an unknown email, a wrong password and a deactivated user", async () => {
    await addUser("ada");
    await deactivated("dan");
    const cases: [string, string][] = [
      ["nobody@example.com", PASSWORD],
      ["ada@example.com", "not the right password"],
      ["dan@example.com", PASSWORD],
    ];
    const seen = [];
    for (const [email, password] of cases) {
      vi.mocked(argon2.verify).mockClear();
      vi.mocked(argon2.hash).mockClear();
      const error = await attempt(email, password).catch((fault: unknown) => fault);
      const verifications = vi.mocked(argon2.verify).mock.calls.length;
      const statements = await statementsOf(() => attempt(email, password));
      seen.push({ error, verifications, statements: statements.map(({ text }) => text) });
    }
    expect(vi.mocked(argon2.hash)).not.toHaveBeenCalled();
    expect(seen[0]).toMatchObject({ error: { code: "unauthorized" }, verifications: 1 });
    expect(seen[0]?.statements).toHaveLength(6);
    for (const other of seen.slice(1)) {
      expect(other).toEqual(seen[0]);
      expect(String(other.error)).toBe(String(seen[0]?.error));
    }
  });

  it("does not end the presented session", async () => {
    const { secret } = await signIn(await addUser("ada"));
    await expectRefusal(attempt("ada@example.com", "not the right password", secret), "unauthorized");
    expect(await findSession(secret)).toBeDefined();
  });

  it("is recorded with the user if there is one, and never with the typed email or password", async () => {
    const ada = await addUser("ada");
    await expectRefusal(attempt(ada.email, "typed-password-0"), "unauthorized");
    await expectRefusal(attempt("typed-password-1@example.com", "typed-password-2"), "unauthorized");
    const events = await listAuditEvents({ limit: 2 });
    expect(events.map(({ act, targetName }) => [act, targetName])).toEqual([
      ["login.failed", null],
      ["login.failed", ada.email],
    ]);
    expect(events[0]).toMatchObject({ actorId: null, address: CALLER.address, requestId: CALLER.requestId });
    expect(JSON.stringify(await listAuditEvents({ limit: 100 }))).not.toContain("typed-password");
  });
});

it("a login is given up when the client disconnects before its turn", async () => {
  await addUser("ada");
  vi.mocked(argon2.verify).mockClear();
  const login = { email: "ada@example.com", password: PASSWORD, caller: CALLER, signal: AbortSignal.abort() };
  await expect(logIn(login)).rejects.toMatchObject({ name: "AbortError" });
  expect(vi.mocked(argon2.verify)).not.toHaveBeenCalled();
  expect(await query((db) => db.$count(sessions))).toBe(0);
});

describe("a session", () => {
  const age = async (interval: string) =>
    query((db) => db.update(sessions).set({ expiresAt: sql`now() + ${interval}::interval` }));

  it("ends at its expiry, by the database's clock", async () => {
    const { secret } = await signIn(await addUser("ada"));
    await age("1 hour");
    expect(await findSession(secret)).toBeDefined();
    await age("-1 second");
    expect(await findSession(secret)).toBeUndefined();
  });

  it("is not found by its hash, by an altered secret, or by a text of another form", async () => {
    const { secret } = await signIn(await addUser("ada"));
    const [row] = await query((db) => db.select().from(sessions));
    const hash = row?.secretHash ?? Buffer.alloc(0);
    const flipped = (secret.startsWith("A") ? "B" : "A") + secret.slice(1);
    const flippedEnd = secret.slice(0, -1) + (secret.endsWith("A") ? "E" : "A");
    for (const text of [
      hash.toString("base64url"),
      hash.toString("hex"),
      flipped,
      flippedEnd,
      `${secret}=`,
      ` ${secret}`,
      "",
      "\0",
    ])
      expect(await findSession(text), text).toBeUndefined();
    const statements = await statementsOf(() => findSession("x".repeat(10_000)));
    expect(statements).toEqual([]);
  });

  it("stores when it was last used, at most once a minute", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    expect(await statementsOf(() => findSession(secret))).toHaveLength(1);
    const stale = new Date(Date.now() - 61_000);
    await query((db) => db.update(sessions).set({ lastSeenAt: stale }).where(eq(sessions.id, actor.sessionId)));
    await findSession(secret);
    await expect
      .poll(async () => {
        const [row] = await query((db) => db.select().from(sessions));
        return Number(row?.lastSeenAt);
      })
      .toBeGreaterThan(Number(stale));
  });

  it("ends with the logout, which is recorded once", async () => {
    const { secret } = await signIn(await addUser("ada"));
    await logOut({ presented: secret, caller: CALLER });
    expect(await findSession(secret)).toBeUndefined();
    await logOut({ presented: secret, caller: CALLER });
    await logOut({ presented: "garbage", caller: CALLER });
    await logOut({ caller: CALLER });
    const acts = (await listAuditEvents({ limit: 100 })).map(({ act }) => act);
    expect(acts.filter((act) => act === "logout")).toHaveLength(1);
    expect(await statementsOf(() => logOut({ caller: CALLER }))).toEqual([]);
  });
});
