import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UserRecord } from "#lib/access/actor.ts";
import { flushUsage } from "#lib/access/usage.ts";
import { updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents, tokens, usage } from "#lib/db/schema.ts";
import { shutDown } from "#lib/render/render.ts";
import { addUser, CALLER, OPERATOR, signIn } from "../../access/people.ts";
import { statementsOf } from "../../access/statements.ts";
import { captureLog } from "../../captured-log.ts";
import { useDatabase } from "../../database.ts";
import { errorOf, expectSafeHeaders } from "../../http/requests.ts";
import { prepareTemplates } from "../../templates/shipped.ts";
import { send } from "../client.ts";
import { expectAuthorized, expectUnauthorized } from "../render/render-access.ts";

useDatabase();

let slug: string;
let user: UserRecord;
let session: string;

beforeAll(async () => {
  slug = await prepareTemplates();
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

const lastUsedAt = async () => (await query((db) => db.select().from(tokens)))[0]?.lastUsedAt;

describe("a new token", () => {
  it("is shown once; later answers hold its metadata only", async () => {
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
    await expectAuthorized({ token });
    const stored = await query(async (db) => [await db.select().from(tokens), await db.select().from(auditEvents)]);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(lines.join()).not.toContain(token);
  });

  it("accepts any name on one line, and keeps it as it is", async () => {
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
  ])("is not created from %j", async (json) => {
    const error = await errorOf(await send("POST", "tokens", { session, json }));
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.length).toBeGreaterThan(0);
    expect(await (await send("GET", "tokens", { session })).json()).toEqual([]);
  });
});

describe("a token", () => {
  it("renders from any origin, and records its use only then", async () => {
    const { token } = await makeToken();
    await expectAuthorized({ token });
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

  it("renders while its use cannot be recorded", async () => {
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

  it("stops working when it is revoked, stays listed, and stays revoked when it is revoked again", async () => {
    const { id, token } = await makeToken();
    await expectAuthorized({ token });
    const response = await send("DELETE", `tokens/${id}`, { session });
    expect(await response.json()).toEqual({ status: "ok" });
    await expectUnauthorized({ token });
    const [revoked] = await (await send("GET", "tokens", { session })).json();
    expect(revoked).toMatchObject({ id, revokedAt: expect.stringMatching(/Z$/) });
    expect((await send("DELETE", `tokens/${id}`, { session })).status).toBe(200);
    expect(await (await send("GET", "tokens", { session })).json()).toEqual([revoked]);
    await expectUnauthorized({ token });
  });

  it("stops working while its user is deactivated, and works after reactivation, unlike a session", async () => {
    const { token } = await makeToken();
    const setStatus = (status: "active" | "deactivated") =>
      updateUser({ actor: OPERATOR, id: user.id, changes: { status }, caller: CALLER });
    await setStatus("deactivated");
    await expectUnauthorized({ token });
    await setStatus("active");
    await expectAuthorized({ token });
    expect((await send("GET", "account", { session })).status).toBe(401);
  });

  it("that was altered is refused without a query", async () => {
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
      expect(await statementsOf(() => expectUnauthorized({ token: candidate }))).toEqual([]);
    }
    await expectAuthorized({ token });
  });

  it("works in the Authorization header only: not as a hash, a prefix, a cookie, a query or a body", async () => {
    const { token, tokenPrefix } = await makeToken();
    const hash = createHash("sha256").update(token);
    const hex = hash.copy().digest("hex");
    for (const secret of [tokenPrefix, hex, `svc_${hex.slice(0, 36)}`, hash.digest("base64url")]) {
      await expectUnauthorized({ token: secret });
    }
    await expectUnauthorized({ session: token });
    await expectUnauthorized({ headers: { "x-api-key": token } });
    await expectUnauthorized({ json: { template: slug, token } });
    for (const query of [`token=${token}`, `access_token=${token}`, `authorization=Bearer%20${token}`]) {
      const response = await send("POST", `images/render?${query}`, { json: { template: slug } });
      expect((await errorOf(response)).code).toBe("unauthorized");
    }
  });
});
