import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Actor, UserRecord } from "#lib/access/actor.ts";
import { AppError } from "#lib/errors.ts";
import { BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { type AuthPolicy, anyone, sameOrigin } from "#lib/http/identity/auth.ts";
import { route } from "#lib/http/route/route.ts";
import { captureLog } from "../captured-log.ts";
import { Greeting, greet } from "./greeting.ts";
import { ask, chunkedBody, errorOf, expectSafeHeaders, postRequest } from "./requests.ts";

/** The part of a policy that requests are checked with. */
type Checks<A extends Actor> = Omit<AuthPolicy<A>, "who">;

const get = () => new Request("http://localhost/path?token=secret", { headers: { authorization: "Bearer hidden" } });

describe("an answer", () => {
  it("holds only what its schema names", async () => {
    const response = await ask(greet, postRequest({ body: '{"name":"Ada"}' }));
    expect(response.status).toBe(201);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("content-length")).toBe("15");
    expectSafeHeaders(response);
    expect(await response.text()).toBe('{"hello":"Ada"}');
  });

  it("is a generic 500 when its schema is not met", async () => {
    const broken = route({ auth: anyone, returns: z.object({ n: z.number() }), handle: () => ({ n: "x" }) as never });
    expect((await errorOf(await ask(broken, get()))).code).toBe("internal");
  });

  it("has a new request id, also where the client sends one", async () => {
    const request = postRequest({
      body: '{"name":"Ada"}',
      headers: { "x-request-id": "0199f000-0000-7000-8000-000000000000" },
    });
    expect((await ask(greet, request)).headers.get("x-request-id")).not.toBe("0199f000-0000-7000-8000-000000000000");
  });
});

describe("the order of checks", () => {
  it("is credentials, type, size, JSON, shape, act", async () => {
    const acted = vi.fn(() => ({}));
    const guarded = <A extends Actor>(auth: Checks<A>) =>
      route({ auth: { who: "user", ...auth }, body: Greeting, returns: z.object({}), handle: acted });
    const huge = () => chunkedBody([new Uint8Array(BODY_LIMIT_BYTES + 1)]);
    const type = { "content-type": "text/plain" };
    const identify = () => {
      throw new AppError("unauthorized", "No.");
    };

    const unread = huge();
    const first = await ask(guarded({ identify }), postRequest({ body: unread.body, headers: type }));
    expect((await errorOf(first)).code).toBe("unauthorized");
    expect(unread.taken()).toBe(0);

    const untyped = huge();
    const second = await ask(guarded(anyone), postRequest({ body: untyped.body, headers: type }));
    expect((await errorOf(second)).code).toBe("unsupported_media_type");
    expect(untyped.taken()).toBe(0);

    const codes = ["payload_too_large", "invalid_json", "invalid_request"];
    const bodies = [huge().body, "{", '{"nme":1}'];
    for (const [index, body] of bodies.entries()) {
      expect((await errorOf(await ask(guarded(anyone), postRequest({ body })))).code).toBe(codes[index]);
    }
    expect(acted).not.toHaveBeenCalled();
    expect((await ask(guarded(anyone), postRequest({ body: '{"name":"x"}' }))).status).toBe(200);
    expect(acted).toHaveBeenCalledOnce();
  });

  it("accepts at most 65,536 bytes where no other limit is set", async () => {
    const padded = (length: number) => '{"name":"Ada"}'.padEnd(length);
    expect((await ask(greet, postRequest({ body: padded(65_536) }))).status).toBe(201);
    const error = await errorOf(await ask(greet, postRequest({ body: padded(65_537) })));
    expect(error.code).toBe("payload_too_large");
  });
});

describe("authorisation", () => {
  const user = { role: "user" } as UserRecord;
  const session: Actor = { kind: "session", sessionId: "1", user };
  const refuseRole = { permits: () => false };
  const foreign = { host: "localhost", origin: "http://evil.example", "content-type": "text/plain" };
  const own = { ...foreign, origin: "http://localhost" };
  const codeOf = async <A extends Actor>(auth: Checks<A>, init: RequestInit) => {
    const handler = route({
      auth: { who: "user", ...auth },
      body: Greeting,
      returns: z.object({}),
      handle: () => ({}),
    });
    return (await errorOf(await ask(handler, new Request("http://localhost/", init)))).code;
  };

  it("checks credentials, then origin, then role, before anything else of the request", async () => {
    const identify = () => session;
    const post = { method: "POST" };
    const refused = { identify: () => Promise.reject(new AppError("unauthorized", "No.")), ...refuseRole };
    expect(await codeOf(refused, { ...post, headers: foreign })).toBe("unauthorized");
    expect(await codeOf({ identify, ...refuseRole }, { ...post, headers: foreign })).toBe("origin_mismatch");
    expect(await codeOf({ identify, ...refuseRole }, { ...post, headers: own })).toBe("forbidden");
    expect(await codeOf({ identify }, { ...post, headers: own })).toBe("unsupported_media_type");
  });

  it("checks the origin of every cookie-authenticated mutation, and of others only where the policy says so", async () => {
    const token: Actor = { kind: "token", tokenId: "1", user };
    const codes = (actor: Actor, method: string) => codeOf({ identify: () => actor }, { method, headers: foreign });
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect(await codes(session, method)).toBe("origin_mismatch");
      expect(await codes(token, method)).toBe("unsupported_media_type");
      expect(await codes({ kind: "anonymous" }, method)).toBe("unsupported_media_type");
    }
    expect(await codes(session, "GET")).toBe("unsupported_media_type");
    expect(await codeOf(sameOrigin, { method: "POST", headers: foreign })).toBe("origin_mismatch");
  });

  it("names the reason of a foreign origin in the log only", async () => {
    const lines = captureLog();
    const handler = route({ auth: sameOrigin, returns: z.object({}), handle: () => ({}) });
    const error = await errorOf(await ask(handler, postRequest({ headers: foreign })));
    expect(JSON.stringify(error)).not.toMatch(/evil|localhost/);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", code: "origin_mismatch", reason: 'Origin is "http://evil.example", want http://localhost' },
    ]);
  });
});

describe("the parameters of a path", () => {
  const echo = (path: string) =>
    route({ path, auth: anyone, returns: z.record(z.string(), z.string()), handle: ({ params }) => params });
  const paramsOf = async (path: string, params: Record<string, string | string[]> | undefined) =>
    await (await echo(path)(get(), { params: Promise.resolve(params) })).json();

  it("are strings, also where Next gives none", async () => {
    expect(await paramsOf("/users", undefined)).toEqual({});
    expect(await paramsOf("/users/{id}", { id: "a/b" })).toEqual({ id: "a/b" });
    expect(await paramsOf("/templates/{slug}", { slug: ["social", "quote"] })).toEqual({ slug: "social/quote" });
    expect(await paramsOf("/api/docs{page}", undefined)).toEqual({ page: "" });
    expect(await paramsOf("/api/docs{page}", {})).toEqual({ page: "" });
  });
});

describe("headers that are set before a refusal", () => {
  it("are sent with the error, beside its own headers", async () => {
    const handle = ({ headers }: { headers: Headers }) => {
      headers.append("Set-Cookie", "a=1");
      throw new AppError("rate_limited", "Later.", { headers: { "Retry-After": "3" } });
    };
    const response = await ask(route({ auth: anyone, returns: z.object({}), handle }), get());
    expect(response.headers.getSetCookie()).toEqual(["a=1"]);
    expect(response.headers.get("retry-after")).toBe("3");
    expect((await errorOf(response)).code).toBe("rate_limited");
  });
});

describe("a query", () => {
  const find = route({
    auth: anyone,
    query: z.strictObject({ word: z.string().optional() }),
    handle: () => new Response(),
  });
  const asked = (query: string) => ask(find, new Request(`http://localhost/path?${query}`));

  it.each([
    ["NUL", "word=a%00", { path: "/word", code: "invalid_character" }],
    ["two values", "word=a&word=b", { path: "/word", code: "invalid_type" }],
    ["an unknown name", "constructor=1", { path: "/constructor", code: "unknown_field" }],
  ])("is refused for %s", async (_, query, issue) => {
    const error = await errorOf(await asked(query));
    expect(error).toMatchObject({ code: "invalid_request", issues: [issue] });
  });

  it("may be empty", async () => {
    expect((await asked("")).status).toBe(200);
  });
});
