import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UserRecord } from "#lib/access/actor.ts";
import { flushUsage } from "#lib/access/usage.ts";
import { updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents, tokens, usage } from "#lib/db/schema.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { shutDown } from "#lib/render/render.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";
import { addUser, CALLER, OPERATOR, signIn } from "../access/people.ts";
import { statementsOf } from "../access/statements.ts";
import { captureLog } from "../captured-log.ts";
import { useDatabase } from "../database.ts";
import { errorOf, expectSafeHeaders } from "../http/requests.ts";
import { send } from "./client.ts";

useDatabase();

let slug: string;
let user: UserRecord;
let session: string;

beforeAll(async () => {
  buildFonts();
  const { templates } = await buildRegistry();
  slug = templates[0]?.slug ?? "";
  return () => shutDown();
});

beforeEach(async () => {
  user = await addUser("ada");
  session = (await signIn(user)).secret;
});

type Made = { id: string; token: string; tokenPrefix: string };

async function makeToken(name = "Deploys"): Promise<Made> {
  const response = await send("POST", "tokens", { session, json: { name } });
  expect(response.status).toBe(201);
  return await response.json();
}

type Extra = Parameters<typeof send>[2];

/** A render that is let in is refused for its template, which takes no browser. */
const knock = async (sent: Extra) =>
  (await errorOf(await send("POST", "images/render", { json: { template: "no/such" }, ...sent }))).code;

const expectIn = async (sent: Extra) => expect(await knock(sent)).toBe("unknown_template");
const expectOut = async (sent: Extra) => expect(await knock(sent)).toBe("unauthorized");

const lastUsedAt = async () => (await query((db) => db.select().from(tokens)))[0]?.lastUsedAt;

describe("a new token", () => {
  it("is shown once, with what is told of it from then on", async () => {
    const lines = captureLog();
    const { token, ...rest } = await makeToken("  Deploys ");
    expect(token).toMatch(/^svc_[0-9A-Za-z]{36}$/);
    expect(token.startsWith(rest.tokenPrefix)).toBe(true);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const unused = { lastUsedAt: null, revokedAt: null };
    expect(rest).toEqual({ id: rest.id, name: "Deploys", tokenPrefix: token.slice(0, 12), createdAt: time, ...unused });
    for (const path of ["tokens", `users/${user.id}/tokens`]) {
      const response = await send("GET", path, { session });
      expectSafeHeaders(response);
      expect(await response.json()).toEqual([rest]);
    }
    await expectIn({ token });
    const stored = await query(async (db) => [await db.select().from(tokens), await db.select().from(auditEvents)]);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(lines.join()).not.toContain(token);
  });

  it("may be called anything on one line, and is called that", async () => {
    for (const name of [
      "<script>alert(1)</script>",
      "x".repeat(80),
      "😀".repeat(80),
      "'; drop table tokens; --",
      "a",
    ]) {
      await makeToken(name);
      const [newest] = await (await send("GET", "tokens", { session })).json();
      expect(newest.name).toBe(name);
    }
  });

  it.each([
    { name: "" },
    { name: " \t " },
    { name: "x".repeat(81) },
    { name: "a\nb" },
    { name: "a\0b" },
    { name: "\u202egnp" },
    { name: null },
    { name: 1 },
    { name: ["a"] },
    {},
    { name: "a", expiresAt: null },
    { name: "a", userId: "x" },
    { name: "a", token: "svc_mine" },
  ])("is not made from %j", async (json) => {
    const error = await errorOf(await send("POST", "tokens", { session, json }));
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.length).toBeGreaterThan(0);
    expect(await (await send("GET", "tokens", { session })).json()).toEqual([]);
  });
});

describe("a token", () => {
  it("renders, from whatever page, and notes its use only then", async () => {
    const { token } = await makeToken();
    await expectIn({ token });
    expect(await lastUsedAt()).toBeNull();
    const sent = { token, json: { template: slug }, headers: { origin: "http://evil.example" } };
    const response = await send("POST", "images/render", sent);
    expect(response.status).toBe(200);
    expectSafeHeaders(response);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await lastUsedAt()).toBeInstanceOf(Date);
    await flushUsage();
    const counted = await query((db) => db.select().from(usage));
    expect(counted).toMatchObject([{ userId: user.id, template: slug, renders: 1, tokenId: expect.any(String) }]);
  });

  it("renders though its use cannot be written down", async () => {
    const { token } = await makeToken();
    await query((db) =>
      db.execute(sql`create or replace function deny() returns trigger language plpgsql as
      $$ begin raise exception 'no'; end $$`),
    );
    await query((db) =>
      db.execute(sql`create trigger deny before update on tokens for each row execute function deny()`),
    );
    try {
      expect((await send("POST", "images/render", { token, json: { template: slug } })).status).toBe(200);
    } finally {
      await query((db) => db.execute(sql`drop function deny cascade`));
    }
    expect(await lastUsedAt()).toBeNull();
  });

  it("is dead from the moment it is revoked, stays listed, and cannot be revoked twice into life", async () => {
    const { id, token } = await makeToken();
    await expectIn({ token });
    const response = await send("DELETE", `tokens/${id}`, { session });
    expect(await response.json()).toEqual({ status: "ok" });
    await expectOut({ token });
    const [revoked] = await (await send("GET", "tokens", { session })).json();
    expect(revoked).toMatchObject({ id, revokedAt: expect.stringMatching(/Z$/) });
    expect((await send("DELETE", `tokens/${id}`, { session })).status).toBe(200);
    expect(await (await send("GET", "tokens", { session })).json()).toEqual([revoked]);
    await expectOut({ token });
  });

  it("dies with its user's status and comes back with it, as no session does", async () => {
    const { token } = await makeToken();
    const setStatus = (status: "active" | "deactivated") =>
      updateUser({ actor: OPERATOR, id: user.id, changes: { status }, caller: CALLER });
    await setStatus("deactivated");
    await expectOut({ token });
    await setStatus("active");
    await expectIn({ token });
    expect((await send("GET", "account", { session })).status).toBe(401);
  });

  it("that was altered is refused without asking the database", async () => {
    const { token } = await makeToken();
    const altered = [...token].map((char, at) => token.slice(0, at) + (char === "a" ? "b" : "a") + token.slice(at + 1));
    for (const candidate of [
      ...altered,
      `${token}a`,
      token.slice(0, -1),
      token.toUpperCase(),
      "svc_",
      "x".repeat(9_000),
    ]) {
      expect(await statementsOf(() => expectOut({ token: candidate }))).toEqual([]);
    }
    await expectIn({ token });
  });

  it("counts nowhere but in its header: not as its hash, its prefix, in a cookie, the address or the body", async () => {
    const { token, tokenPrefix } = await makeToken();
    const hash = createHash("sha256").update(token);
    const hex = hash.copy().digest("hex");
    for (const secret of [tokenPrefix, hex, `svc_${hex.slice(0, 36)}`, hash.digest("base64url")]) {
      await expectOut({ token: secret });
    }
    await expectOut({ session: token });
    await expectOut({ headers: { "x-api-key": token } });
    await expectOut({ json: { template: slug, token } });
    for (const query of [`token=${token}`, `access_token=${token}`, `authorization=Bearer%20${token}`]) {
      const response = await send("POST", `images/render?${query}`, { json: { template: slug } });
      expect((await errorOf(response)).code).toBe("unauthorized");
    }
  });
});

describe("an Authorization header decides alone", () => {
  it.each<[string, (token: string) => string]>([
    ["a Bearer of nothing", () => "Bearer"],
    ["a Bearer of an unknown token", () => `Bearer svc_${"0".repeat(36)}`],
    ["another scheme", (token) => `Basic ${token}`],
    ["another scheme's credentials", () => `Basic ${btoa("ada@example.com:correct horse battery staple")}`],
    ["the token without a scheme", (token) => token],
    ["nothing at all", () => ""],
    ["two headers", (token) => `Bearer ${token}, Bearer ${token}`],
    ["a list", (token) => `Bearer ${token},Basic x`],
    ["a list in one", (token) => `Bearer ${token} ${token}`],
  ])("with %s: 401 even beside a good cookie", async (_name, header) => {
    const { token } = await makeToken();
    const headers = { authorization: header(token) };
    await expectIn({ session });
    await expectOut({ session, headers });
    await expectOut({ headers });
    for (const path of ["account", "tokens", "users", "templates", "openapi.json"]) {
      expect((await errorOf(await send("GET", path, { session, headers }))).code).toBe("unauthorized");
    }
  });

  it("with a good token beside an expired, wrong or doubled cookie", async () => {
    const { token } = await makeToken();
    await query((db) => db.execute(sql`update sessions set expires_at = now() - interval '1 second'`));
    await expectOut({ session });
    await expectIn({ session, token });
    await expectIn({ session: "x; service_session=y", token });
  });

  it("with a good token beside a good cookie on the access routes, where no token counts", async () => {
    const { token } = await makeToken();
    for (const path of ["account", "tokens", "users", "templates", "openapi.json"]) {
      const response = await send("GET", path, { session, token });
      expect((await errorOf(response)).code).toBe("unauthorized");
    }
  });

  it("with a revoked token beside a good cookie", async () => {
    const { id, token } = await makeToken();
    await send("DELETE", `tokens/${id}`, { session });
    await expectOut({ session, token });
    await expectIn({ session });
  });
});

describe("a render by cookie", () => {
  it("needs the service's own origin", async () => {
    await expectIn({ session });
    for (const headers of [
      { origin: "http://evil.example" },
      { origin: undefined },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "x-forwarded-host": "evil.example", origin: "http://evil.example" },
    ]) {
      expect(await knock({ session, headers })).toBe("origin_mismatch");
    }
  });

  it("is counted for its user, without a token", async () => {
    expect((await send("POST", "images/render", { session, json: { template: slug } })).status).toBe(200);
    await flushUsage();
    const counted = await query((db) => db.select().from(usage));
    expect(counted).toMatchObject([{ userId: user.id, tokenId: null, template: slug, renders: 1 }]);
  });
});
