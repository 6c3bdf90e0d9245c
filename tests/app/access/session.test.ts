import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { UserRecord } from "#lib/access/actor.ts";
import { query } from "#lib/db/database.ts";
import { sessions, users } from "#lib/db/schema.ts";
import { addUser, PASSWORD, signIn } from "../../access/people.ts";
import { statementsOf } from "../../access/statements.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { METHODS, send, sessionOf } from "../client.ts";

useDatabase();

type Extra = Parameters<typeof send>[2];

async function signedIn(): Promise<{ session: string; user: UserRecord }> {
  const user = await addUser("ada");
  return { session: (await signIn(user)).secret, user };
}

const account = async (sent: Extra) => (await send("GET", "account", sent)).status;
const expectDead = async (sent: Extra) =>
  expect((await errorOf(await send("GET", "account", sent))).code).toBe("unauthorized");

describe("a page that was opened by another user", () => {
  it("changes nothing of the user who has signed in since", async () => {
    const { session, user } = await signedIn();
    const other = await addUser("bob");
    const rename = (pageUser: string, name: string) =>
      send("PATCH", "account", { session, json: { name }, headers: { "x-page-user": pageUser } });
    const { code, message } = await errorOf(await rename(other.id, "Bob"));
    expect([code, message]).toEqual(["unauthorized", expect.stringContaining("Reload it")]);
    expect(await (await rename(user.id, "Ada L.")).json()).toMatchObject({ name: "Ada L." });
  });
});

describe("logging out", () => {
  it("ends the session and clears the cookie with its own attributes", async () => {
    const { session } = await signedIn();
    const response = await send("POST", "logout", { session });
    expect(await response.json()).toEqual({ status: "ok" });
    expect(response.headers.getSetCookie()).toEqual([
      "service_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure",
    ]);
    await expectDead({ session });
  });

  it.each<[string, Extra]>([
    ["no cookie", {}],
    ["a made-up cookie", { session: "x".repeat(43) }],
    ["an empty cookie", { session: "" }],
    ["two cookies", { headers: { cookie: "service_session=a; service_session=b" } }],
    ["an Authorization header", { headers: { authorization: "Basic x" } }],
    ["an empty object", { json: {} }],
    ["no body but a type", { body: "", headers: { "content-type": "application/json" } }],
  ])("succeeds with %s too", async (_name, sent) => {
    const response = await send("POST", "logout", sent);
    expect(response.status).toBe(200);
    expect(sessionOf(response)).toBe("");
  });

  it("is refused with another body or origin, and ends nothing then", async () => {
    const { session } = await signedIn();
    const refusals: [Extra, string][] = [
      [{ json: { everywhere: true } }, "invalid_request"],
      [{ json: [] }, "invalid_request"],
      [{ body: "x", headers: { "content-type": "text/plain" } }, "unsupported_media_type"],
      [{ headers: { origin: "http://evil.example" } }, "origin_mismatch"],
      [{ headers: { origin: undefined } }, "origin_mismatch"],
    ];
    for (const [sent, code] of refusals) {
      const response = await send("POST", "logout", { session, ...sent });
      expect(response.headers.getSetCookie()).toEqual([]);
      expect((await errorOf(response)).code).toBe(code);
    }
    expect(await account({ session })).toBe(200);
  });

  it("clears the cookie while the database does not answer", async () => {
    const { session } = await signedIn();
    await query((db) => db.execute(sql`alter table sessions rename to sessions_away`));
    try {
      const response = await send("POST", "logout", { session });
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(sessionOf(response)).toBe("");
    } finally {
      await query((db) => db.execute(sql`alter table sessions_away rename to sessions`));
    }
  });
});

describe("a session cookie", () => {
  it("is refused one second after its expiry by the database's clock", async () => {
    const { session } = await signedIn();
    await query((db) => db.update(sessions).set({ expiresAt: sql`now() + interval '1 minute'` }));
    expect(await account({ session })).toBe(200);
    await query((db) => db.update(sessions).set({ expiresAt: sql`now() - interval '1 second'` }));
    await expectDead({ session });
  });

  it("is refused when it is tampered with, long, quoted, encoded, doubled or in another header", async () => {
    const { session } = await signedIn();
    const flipped = session.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    const cookies = [
      flipped,
      session.slice(0, -1),
      `${session}A`,
      ` ${session.toLowerCase()}`,
      `"${session}"`,
      encodeURIComponent(`${session}=`),
      "x".repeat(10_000),
      "' or 1=1 --",
      "__proto__",
      "",
      createHash("sha256").update(session).digest("hex"),
      createHash("sha256").update(session).digest("base64url"),
      `${session}; service_session=${session}`,
      `x; service_session=${session}`,
    ];
    for (const cookie of cookies) await expectDead({ session: cookie });
    await expectDead({ headers: { cookie: `Service_Session=${session}` } });
    await expectDead({ token: session });
    expect((await errorOf(await send("GET", `account?service_session=${session}`))).code).toBe("unauthorized");
    const inBody = await send("PATCH", "account", { json: { name: "X", service_session: session } });
    expect((await errorOf(inBody)).code).toBe("unauthorized");
    expect(await account({ session })).toBe(200);
  });

  it("of a wrong form is refused without a query", async () => {
    for (const session of ["", "x".repeat(42), "x".repeat(10_000), "é".repeat(43), "a; service_session=b"]) {
      expect(await statementsOf(() => expectDead({ session }))).toEqual([]);
    }
  });

  it("is not accepted as its stored hash", async () => {
    const { session } = await signedIn();
    const [row] = await query((db) => db.select().from(sessions));
    expect(JSON.stringify(row)).not.toContain(session);
    for (const encoding of ["hex", "base64url", "latin1"] as const) {
      await expectDead({ session: row?.secretHash.toString(encoding).replaceAll(/[^\x21-\x7e]/g, "x") ?? "" });
    }
  });

  it("changes nothing with GET, HEAD or a method without an operation", async () => {
    const { session, user } = await signedIn();
    const before = await query((db) => db.select().from(users));
    for (const path of ["account", "tokens", "users", `users/${user.id}`, "login", "logout", "account/password"]) {
      for (const method of METHODS.filter((candidate) => !["POST", "PATCH", "DELETE"].includes(candidate))) {
        const response = await send(method, `${path}?name=X&role=admin&_method=DELETE`, {
          session,
          headers: { "x-http-method-override": "DELETE" },
        });
        expect(response.headers.getSetCookie()).toEqual([]);
      }
    }
    expect(await query((db) => db.select().from(users))).toEqual(before);
    expect(await account({ session })).toBe(200);
  });
});

describe("changing the password", () => {
  const NEW = "a new one, just as long";
  const change = (session: string, json: unknown) => send("POST", "account/password", { session, json });

  it("ends every other session, and gives this one a new secret", async () => {
    const { session, user } = await signedIn();
    const { secret: elsewhere } = await signIn(user);
    const response = await change(session, { currentPassword: PASSWORD, newPassword: NEW });
    expect(await response.json()).toEqual({ status: "ok" });
    expect(response.headers.getSetCookie()[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/);
    const renewed = sessionOf(response);
    await expectDead({ session });
    await expectDead({ session: elsewhere });
    expect(await account({ session: renewed })).toBe(200);
    const logIn = async (password: string) =>
      (await send("POST", "login", { json: { email: user.email, password } })).status;
    expect(await logIn(PASSWORD)).toBe(401);
    expect(await logIn(NEW)).toBe(200);
  });

  it("needs the current password, and changes nothing without it", async () => {
    const { session } = await signedIn();
    const response = await change(session, { currentPassword: "not the password", newPassword: NEW });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await errorOf(response)).code).toBe("wrong_password");
    expect(await account({ session })).toBe(200);
  });

  it("is rate limited, so that a stolen session cannot guess the password", async () => {
    const { session } = await signedIn();
    const attempts = Array.from({ length: 15 }, () => change(session, { currentPassword: "guess", newPassword: NEW }));
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(5);
    for (const { headers } of limited) expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(await account({ session })).toBe(200);
  });
});

describe("one's own account", () => {
  it.each([
    { role: "admin" },
    { id: "0199f000-0000-7000-8000-000000000000" },
    { status: "active" },
    { name: "X", role: "admin" },
    { passwordHash: "x" },
    { password: PASSWORD },
    { createdAt: "2020-01-01T00:00:00.000Z" },
    { Role: "admin" },
    { name: "X", user: { role: "admin" } },
    {},
    { name: null },
    { email: null },
    { name: "" },
    { name: "   " },
    { name: "x".repeat(81) },
    { name: "a\nb" },
    { email: "ada" },
    { email: `${"x".repeat(300)}@example.com` },
  ])("refuses %j as a whole and stays unchanged", async (json) => {
    const { session, user } = await signedIn();
    const error = await errorOf(await send("PATCH", "account", { session, json }));
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.length).toBeGreaterThan(0);
    const [row] = await query((db) => db.select().from(users).where(eq(users.id, user.id)));
    expect(row).toMatchObject({ name: user.name, email: user.email, role: "user", status: "active" });
  });

  it("accepts a name and an email, trimmed, and answers with both", async () => {
    const { session, user } = await signedIn();
    const json = { name: "  Ada Lovelace ", email: " Ada.L@Example.com" };
    const response = await send("PATCH", "account", { session, json });
    expect(await response.json()).toMatchObject({ id: user.id, name: "Ada Lovelace", email: "ada.l@example.com" });
    expect((await (await send("GET", "account", { session })).json()).name).toBe("Ada Lovelace");
  });

  it("refuses the email of another user", async () => {
    const { session } = await signedIn();
    await addUser("grace");
    const response = await send("PATCH", "account", { session, json: { email: "GRACE@example.com" } });
    expect((await errorOf(response)).code).toBe("email_taken");
  });
});
