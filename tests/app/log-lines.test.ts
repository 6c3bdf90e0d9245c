import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { buildFonts } from "#lib/fonts/build.ts";
import { rendering, shutDown } from "#lib/render/render.ts";
import { addToken, addUser, PASSWORD, signIn } from "../access/people.ts";
import { captureLog } from "../captured-log.ts";
import { useDatabase } from "../database.ts";
import { METHODS, type Sent, send } from "./client.ts";

useDatabase();
beforeAll(() => void buildFonts());
beforeEach(() => {
  rendering.get().pictures.clear();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => shutDown());

/** The log line of the only request. */
async function lineOf(sent: Sent, path = "images/render"): Promise<Record<string, unknown>> {
  const lines = captureLog();
  const before = lines.length;
  await send("POST", path, sent);
  const own = lines
    .slice(before)
    .map((line) => JSON.parse(line))
    .filter(({ requestId }) => requestId);
  expect(own).toHaveLength(1);
  return own[0];
}

const QUOTE = { template: "social/quote", data: { quote: "Less is more.", highlight: "nowhere" } };

describe("the log line of a render", () => {
  it("names the template and variant, the source, the warnings and the wait", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "false");
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
    const drawn = await lineOf({ json: QUOTE });
    expect(drawn).toMatchObject({ status: 200, template: "social/quote", source: "drawn", warnings: 1 });
    expect(drawn.variant).toEqual(expect.any(String));
    expect(drawn.queueMs).toEqual(expect.any(Number));
    expect(drawn.ms).toEqual(expect.any(Number));
    const kept = await lineOf({ json: QUOTE });
    expect(kept).toMatchObject({ source: "cache", warnings: 1 });
    expect(kept).not.toHaveProperty("queueMs");
  });

  it("names what is known of a refused render, in names of the registry only", async () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "false");
    expect(await lineOf({ json: { ...QUOTE, data: { quot: "x" } } })).toMatchObject({
      code: "invalid_data",
      template: "social/quote",
    });
    const unknown = await lineOf({ json: { template: "no/such", variant: "none" } });
    expect(unknown).toMatchObject({ code: "unknown_template" });
    expect(unknown).not.toHaveProperty("template");
    expect(await lineOf({ json: { template: "social/quote", variant: "none" } })).not.toHaveProperty("variant");
  });
});

describe("with the access layer on, a log line", () => {
  it("names the actor by id", async () => {
    const { secret, actor } = await signIn(await addUser("ada"));
    const { id, token } = await addToken(actor);
    expect(await lineOf({ session: secret, json: { template: "social/quote" } })).toMatchObject({
      user: actor.user.id,
    });
    expect(await lineOf({ token, json: { template: "social/quote" } })).toMatchObject({
      user: actor.user.id,
      token: id,
    });
    const nobody = await lineOf({ token: "svc_nobody", json: { template: "social/quote" } });
    expect(nobody).toMatchObject({ status: 401 });
    expect(nobody).not.toHaveProperty("user");
  });
});

describe("the log", () => {
  /** Sends every secret in every part of a request. */
  function everywhere(secret: string): Sent[] {
    const named = { [secret]: secret };
    return [
      { token: secret, session: secret },
      { session: secret, json: { template: secret, variant: secret, data: named } },
      { json: { template: "social/quote", variant: secret } },
      { json: { template: "social/quote", data: { ...named, quote: secret, author: secret, portrait: secret } } },
      { json: { template: "social/quote", data: { quote: secret } } },
      { json: { email: secret, password: secret, name: secret, currentPassword: secret, newPassword: secret } },
      { body: secret },
      { json: named, headers: { "user-agent": secret, prefer: secret, cookie: secret, "x-request-id": secret } },
      { json: {}, headers: { authorization: `Basic ${secret}`, "content-type": secret } },
    ];
  }

  it("holds no secret, wherever in the request it was sent", async () => {
    const { secret, actor } = await signIn(await addUser("grace"));
    const { token } = await addToken(actor);
    const secrets = [secret, token, PASSWORD, "Zq9_private_words_of_somebody"];
    const lines = captureLog();
    for (const one of secrets) {
      const paths = [
        "images/render",
        "login",
        "account",
        "tokens",
        `tokens/${one}`,
        `users/${one}`,
        `templates/${one}`,
      ];
      for (const path of [...paths, `images/render?token=${one}`, `nothing/${one}`])
        for (const sent of everywhere(one)) await send("POST", path, sent);
      for (const method of METHODS) await send(method, `tokens/${one}?secret=${one}`, { session: secret });
    }
    vi.stubEnv("SERVICE_AUTH_ENABLED", "false");
    for (const one of secrets) for (const sent of everywhere(one)) await send("POST", "images/render", sent);
    expect(lines.length).toBeGreaterThan(300);
    const log = lines.join("");
    for (const one of [...secrets, encodeURIComponent(PASSWORD)])
      expect(log.includes(one), `${one.slice(0, 6)}…`).toBe(false);
    expect(log).not.toContain(actor.user.email);
    expect(log).not.toContain("Less is more");
  });
});
