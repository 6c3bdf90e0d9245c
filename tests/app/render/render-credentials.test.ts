import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionActor } from "#lib/access/actor.ts";
import { createTokenSecret } from "#lib/access/secrets.ts";
import { revokeToken } from "#lib/access/tokens.ts";
import { flushUsage } from "#lib/access/usage.ts";
import { updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { usage } from "#lib/db/schema.ts";
import { shutDown } from "#lib/render/render.ts";
import { addToken, addUser, CALLER, OPERATOR, signIn } from "../../access/people.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { prepareTemplates } from "../../templates/shipped.ts";
import { send } from "../client.ts";
import { expectAuthorized, expectUnauthorized, renderCode } from "./render-access.ts";

/** Takes the work that Next does after the response. Only Next's own server can do it. */
const afterResponse = vi.hoisted(() => vi.fn<(work: () => Promise<void>) => void>());

vi.mock("next/server.js", async (importOriginal) => ({
  ...(await importOriginal<typeof import("next/server.js")>()),
  after: afterResponse,
}));

useDatabase();

let slug: string;
let actor: SessionActor;
let session: string;

beforeAll(async () => {
  slug = await prepareTemplates();
  return () => shutDown();
});

beforeEach(async () => {
  ({ secret: session, actor } = await signIn(await addUser("ada")));
});

describe("an Authorization header overrides the cookie", () => {
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
  ])("%s: 401 even beside a valid cookie", async (_name, header) => {
    const { token } = await addToken(actor);
    const headers = { authorization: header(token) };
    await expectAuthorized({ session });
    await expectUnauthorized({ session, headers });
    await expectUnauthorized({ headers });
    for (const path of ["account", "tokens", "users", "templates", "openapi.json"]) {
      expect((await errorOf(await send("GET", path, { session, headers }))).code).toBe("unauthorized");
    }
  });

  it("a valid token renders beside an expired, wrong or doubled cookie", async () => {
    const { token } = await addToken(actor);
    await query((db) => db.execute(sql`update sessions set expires_at = now() - interval '1 second'`));
    await expectUnauthorized({ session });
    await expectAuthorized({ session, token });
    await expectAuthorized({ session: "x; service_session=y", token });
  });

  it("a valid token is refused on the access routes, even beside a valid cookie", async () => {
    const { token } = await addToken(actor);
    for (const path of ["account", "tokens", "users", "templates", "openapi.json"]) {
      const response = await send("GET", path, { session, token });
      expect((await errorOf(response)).code).toBe("unauthorized");
    }
  });

  it("a revoked token is refused beside a valid cookie", async () => {
    const { id, token } = await addToken(actor);
    await send("DELETE", `tokens/${id}`, { session });
    await expectUnauthorized({ session, token });
    await expectAuthorized({ session });
  });
});

describe("the message of a refused render", () => {
  const messageFor = async (authorization?: string) =>
    (
      await errorOf(
        await send("POST", "images/render", {
          json: {},
          ...(authorization !== undefined && { headers: { authorization } }),
        }),
      )
    ).message;

  it("tells missing, malformed, unknown and revoked tokens apart, and is the same for a deactivated user as for no token", async () => {
    const [kept, revoked] = [await addToken(actor), await addToken(actor)];
    await revokeToken({ actor, id: revoked.id, caller: CALLER });
    expect(await messageFor()).toMatch(/^Send `Authorization/);
    expect(await messageFor(`Basic ${kept.token}`)).toMatch(/header of another form/);
    expect(await messageFor(`Bearer ${kept.token.slice(0, -1)}`)).toMatch(/mistyped or cut/);
    expect(await messageFor(`Bearer ${revoked.token}`)).toMatch(/was revoked/);
    const unknown = await messageFor(`Bearer ${createTokenSecret()}`);
    expect(unknown).toMatch(/gives no access/);
    await updateUser({ actor: OPERATOR, id: actor.user.id, changes: { status: "deactivated" }, caller: CALLER });
    expect(await messageFor(`Bearer ${kept.token}`)).toBe(unknown);
    expect(await messageFor(`Bearer ${revoked.token}`)).toBe(unknown);
  });

  it("says that a token was revoked only for its whole secret", async () => {
    const { id, token } = await addToken(actor);
    await revokeToken({ actor, id, caller: CALLER });
    const last = token.endsWith("0") ? "1" : "0";
    expect(await messageFor(`Bearer ${token.slice(0, -1)}${last}`)).not.toMatch(/revoked/);
    expect(await messageFor(`Bearer ${createTokenSecret().replace(/^.{12}/, token.slice(0, 12))}`)).not.toMatch(
      /revoked/,
    );
  });
});

describe("a render with a session cookie", () => {
  it("needs the service's own origin", async () => {
    await expectAuthorized({ session });
    for (const headers of [
      { origin: "http://evil.example" },
      { origin: undefined },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "x-forwarded-host": "evil.example", origin: "http://evil.example" },
    ]) {
      expect(await renderCode({ session, headers })).toBe("origin_mismatch");
    }
  });

  it("is counted for its user, without a token", async () => {
    expect((await send("POST", "images/render", { session, json: { template: slug } })).status).toBe(200);
    await flushUsage();
    const counted = await query((db) => db.select().from(usage));
    expect(counted).toMatchObject([{ userId: actor.user.id, tokenId: null, template: slug, renders: 1 }]);
  });

  it("is written before a platform that suspends idle processes may do so", async () => {
    vi.stubEnv("VERCEL", "1");
    vi.stubEnv("SERVICE_DATA_DIR", ".data");
    vi.stubEnv("SERVICE_TRUST_PROXY", "false");
    afterResponse.mockClear();
    expect((await send("POST", "images/render", { session, json: { template: slug } })).status).toBe(200);
    for (const [work] of afterResponse.mock.calls) await work();
    expect(await query((db) => db.$count(usage))).toBe(1);
    vi.unstubAllEnvs();
  });
});
