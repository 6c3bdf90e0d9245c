import { describe, expect, it, onTestFinished, vi } from "vitest";
import { updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { sessions, throttle } from "#lib/db/schema.ts";
import { addUser, CALLER, OPERATOR, PASSWORD } from "../../access/people.ts";
import { captureLog } from "../../captured-log.ts";
import { useDatabase } from "../../database.ts";
import { errorOf, expectSafeHeaders } from "../../http/requests.ts";
import { deviceOf, ORIGIN } from "../client.ts";
import { ADA, accountStatus, type Extra, logIn, secretOf } from "./login.ts";

useDatabase();

describe("a login", () => {
  it("answers with the user, one session cookie and one device cookie", async () => {
    const { passwordHash: _, ...ada } = { passwordHash: "", ...(await addUser("ada")) };
    const response = await logIn();
    expect(response.status).toBe(200);
    expectSafeHeaders(response);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^service_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/),
      expect.stringMatching(
        /^service_device=[\w-]{43}; Path=\/api\/service\/login; HttpOnly; SameSite=Lax; Max-Age=15552000; Secure$/,
      ),
    ]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const moments = { createdAt: time, updatedAt: time, lastLoginAt: time };
    expect(await response.json()).toEqual({ ...ada, ...moments });
  });

  it("sets a cookie without Secure in development", async () => {
    await addUser("ada");
    vi.stubEnv("NODE_ENV", "development");
    onTestFinished(() => void vi.stubEnv("NODE_ENV", "test"));
    for (const cookie of (await logIn()).headers.getSetCookie()) expect(cookie).toMatch(/; SameSite=Lax; Max-Age=\d+$/);
  });

  it("accepts the email in any case and with spaces around it", async () => {
    await addUser("ada");
    for (const email of ["ADA@Example.COM", "  ada@example.com\t", "\u00a0Ada@example.com\n"]) {
      expect((await logIn({ ...ADA, email })).status).toBe(200);
    }
  });

  it("replaces and ends the session that comes with it", async () => {
    await addUser("ada");
    const first = await secretOf(await logIn());
    expect(await accountStatus(first)).toBe(200);
    const second = await secretOf(await logIn(ADA, { session: first }));
    expect(second).not.toBe(first);
    expect(await accountStatus(first)).toBe(401);
    expect(await accountStatus(second)).toBe(200);
  });

  it("never reuses the secret of a planted cookie", async () => {
    await addUser("ada");
    const planted = "p".repeat(43);
    expect(await secretOf(await logIn(ADA, { session: planted }))).not.toBe(planted);
    expect(await accountStatus(planted)).toBe(401);
  });

  it("sets no cookie and no WWW-Authenticate when it is refused", async () => {
    await addUser("ada");
    const foreign = { headers: { origin: "http://evil.example" } };
    const refusals: [unknown, Extra, string][] = [
      [{ ...ADA, password: "not the password" }, {}, "unauthorized"],
      [ADA, foreign, "origin_mismatch"],
      [ADA, { headers: { origin: undefined } }, "origin_mismatch"],
      [ADA, { headers: { origin: "null" } }, "origin_mismatch"],
      [ADA, { headers: { "sec-fetch-site": "cross-site" } }, "origin_mismatch"],
      [{ ...ADA, remember: true }, {}, "invalid_request"],
    ];
    for (const [body, extra, code] of refusals) {
      const response = await logIn(body, extra);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(response.headers.has("www-authenticate")).toBe(false);
      expect((await errorOf(response)).code).toBe(code);
    }
    expect(await query((db) => db.$count(sessions))).toBe(0);
  });

  it("refuses an unknown email, a wrong password and a deactivated user with the same answer", async () => {
    const { id } = await addUser("gone");
    await addUser("ada");
    await updateUser({ actor: OPERATOR, id, changes: { status: "deactivated" }, caller: CALLER });
    const answers = await Promise.all(
      [
        { email: "nobody@example.com", password: PASSWORD },
        { ...ADA, password: "not the password" },
        { email: "gone@example.com", password: PASSWORD },
      ].map(async (body) => {
        const response = await logIn(body);
        const { error } = await response.json();
        const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
        return { status: response.status, headers, error: { ...error, requestId: "" } };
      }),
    );
    expect(answers[0]).toMatchObject({ status: 401, error: { code: "unauthorized" } });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it("logs neither the password nor the secret", async () => {
    await addUser("ada");
    const lines = captureLog();
    const secret = await secretOf(await logIn());
    await logIn({ ...ADA, password: "wrong but telling" });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toContain(secret);
    expect(lines.join()).not.toMatch(/telling|correct horse/);
  });
});

describe("the configured origin", () => {
  const from = (origin: string, more: Record<string, string> = {}) => logIn(ADA, { headers: { origin, ...more } });
  const setOrigin = (origin: string) => {
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", origin);
    onTestFinished(() => void vi.stubEnv("SERVICE_PUBLIC_ORIGIN", undefined));
  };

  it("is the only one accepted, whatever the Host", async () => {
    await addUser("ada");
    setOrigin("https://app.example");
    expect((await from("https://app.example")).status).toBe(200);
    expect((await from("https://app.example", { "x-forwarded-host": "app.example" })).status).toBe(200);
    expect((await from(ORIGIN)).status).toBe(403);
    expect((await from("https://app.example", { "x-forwarded-host": "evil.example" })).status).toBe(403);
  });

  it("refuses every mutation while it is invalid", async () => {
    await addUser("ada");
    setOrigin("app.example");
    for (const origin of [ORIGIN, "app.example", "https://app.example"]) {
      const response = await from(origin);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect((await errorOf(response)).code).toBe("misconfigured");
    }
  });
});

describe("too many attempts", () => {
  const wrong = (email: string, address: string) => {
    const headers = { "x-forwarded-for": address, "x-real-ip": address, forwarded: `for=${address}` };
    return logIn({ email, password: "not the password" }, { headers });
  };

  it("are 429 with Retry-After, in any spelling of the email, with any headers, and with the right password", async () => {
    await addUser("ada");
    const held = await secretOf(await logIn());
    const spellings = ["ada@example.com", " ADA@example.com", "Ada@Example.com\n"];
    const attempts = Array.from({ length: 100 }, (_, at) => wrong(spellings[at % 3] ?? "", `203.0.113.${at}`));
    const answers = await Promise.all(attempts);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(90);
    for (const response of [...limited, await logIn()]) {
      expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect((await errorOf(response)).code).toBe("rate_limited");
    }
    expect(await accountStatus(held)).toBe(200);
  });

  it("from others do not keep out a browser that has signed in before", async () => {
    await addUser("ada");
    const device = deviceOf(await logIn());
    await Promise.all(Array.from({ length: 12 }, () => wrong("ada@example.com", "203.0.113.1")));
    expect((await logIn()).status).toBe(429);
    expect((await logIn(ADA, { device })).status).toBe(200);
    // Of two cookies, another site may have planted one.
    const headers = { cookie: `service_device=${device}; service_device=${"x".repeat(43)}` };
    expect((await logIn(ADA, { headers })).status).toBe(429);
  });

  it("for an unknown email are refused in the same way", async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => wrong("nobody@example.com", "203.0.113.1")));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  it("do not count requests that are refused before the password is checked", async () => {
    await addUser("ada");
    for (let attempt = 0; attempt < 20; attempt++) {
      await logIn(ADA, { headers: { origin: "http://evil.example" } });
      await logIn({ ...ADA, extra: 1 });
    }
    expect(await query((db) => db.$count(throttle))).toBe(0);
    expect((await logIn()).status).toBe(200);
  });
});
