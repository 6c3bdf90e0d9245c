import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Actor, UserRecord } from "#lib/access/actor.ts";
import { AppError } from "#lib/errors.ts";
import { anyone, type Policy, sameOrigin } from "#lib/http/auth.ts";
import { heldBytes } from "#lib/http/body-budget.ts";
import { BODY_LIMIT_BYTES } from "#lib/http/limits.ts";
import { methods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
import { captureLog } from "../captured-log.ts";
import { ask, chunkedBody, errorOf, expectSafeHeaders, postRequest } from "./requests.ts";

const Greeting = z.strictObject({
  name: z.string().min(1),
  times: z.int().max(9).optional(),
  tags: z.array(z.string()).optional(),
});

const handlers = methods({
  POST: route({
    auth: anyone,
    body: Greeting,
    returns: z.object({ hello: z.string() }),
    status: 201,
    handle: ({ body }) => ({ hello: body.name, secret: "hash" }),
  }),
});

const get = () => new Request("http://localhost/path?token=secret", { headers: { authorization: "Bearer hidden" } });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("an answer", () => {
  it("holds only what its schema names", async () => {
    const response = await ask(handlers.POST, postRequest({ body: '{"name":"Ada"}' }));
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

  it("has a request id of ours, whatever the client sends", async () => {
    const request = postRequest({ body: '{"name":"Ada"}', headers: { "x-request-id": "01J00000000000000000000000" } });
    expect((await ask(handlers.POST, request)).headers.get("x-request-id")).not.toBe("01J00000000000000000000000");
  });
});

describe("the order of checks", () => {
  it("is credentials, type, size, JSON, shape, act", async () => {
    const acted = vi.fn(() => ({}));
    const guarded = <A extends Actor>(auth: Policy<A>) =>
      route({ auth, body: Greeting, returns: z.object({}), handle: acted });
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

  it("takes exactly 65,536 bytes where no other limit is set", async () => {
    const padded = (length: number) => '{"name":"Ada"}'.padEnd(length);
    expect((await ask(handlers.POST, postRequest({ body: padded(65_536) }))).status).toBe(201);
    const error = await errorOf(await ask(handlers.POST, postRequest({ body: padded(65_537) })));
    expect(error.code).toBe("payload_too_large");
  });
});

describe("the memory of a body", () => {
  it("is held until its answer is made, whatever the answer", async () => {
    const held: number[] = [];
    const watching = (act: () => Record<string, never>) => {
      const handle = async () => {
        held.push(heldBytes());
        return act();
      };
      return route({ auth: anyone, body: z.object({}), returns: z.object({}), handle });
    };
    const boom = () => {
      throw new Error("boom");
    };
    for (const act of [() => ({}), boom]) {
      await ask(watching(act), postRequest({ body: "{}".padEnd(5_000) }));
      expect(heldBytes()).toBe(0);
    }
    for (const body of ["{", "[]", '{"__proto__":1}', chunkedBody([new Uint8Array(BODY_LIMIT_BYTES + 1)]).body]) {
      await ask(watching(boom), postRequest({ body }));
      expect(heldBytes()).toBe(0);
    }
    expect(held).toEqual([5_000, 5_000]);
  });
});

describe("a body of another shape", () => {
  it("gets every fault at once, with what was got and what is wanted", async () => {
    const body = '{"nmae":"x","tags":["a",1],"times":10,"zebra":null}';
    const { issues, message } = await errorOf(await ask(handlers.POST, postRequest({ body })));
    expect(message).toBe("The body has 5 faults.");
    expect(issues).toEqual([
      { path: "/name", code: "missing_field", message: "Got nothing, want a string." },
      { path: "/times", code: "too_big", message: "Got more than the largest allowed, want at most 9." },
      { path: "/tags/1", code: "invalid_type", message: "Got a number, want a string." },
      { path: "/nmae", code: "unknown_field", message: 'Unknown field "nmae". Did you mean "name"?' },
      { path: "/zebra", code: "unknown_field", message: 'Unknown field "zebra". Want "name", "times", "tags".' },
    ]);
  });
});

describe("methods", () => {
  const read = methods({
    GET: route({ auth: anyone, returns: z.object({ a: z.number() }), handle: () => ({ a: 1 }) }),
  });

  it("answer 405 with Allow where nothing is declared, OPTIONS too and without CORS", async () => {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const response = await ask(handlers[method], new Request("http://localhost/", { method }));
      expect(response.headers.get("allow")).toBe("POST");
      expect((await errorOf(response)).code).toBe("method_not_allowed");
    }
    const response = await ask(read.POST, postRequest());
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  });

  it("answer HEAD with the headers of GET and no body", async () => {
    const response = await ask(read.HEAD, new Request("http://localhost/", { method: "HEAD" }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("7");
    expect(await response.text()).toBe("");
  });
});

describe("who may act", () => {
  const user = { role: "user" } as UserRecord;
  const session: Actor = { kind: "session", sessionId: "1", user };
  const refuseRole = { permits: () => false };
  const foreign = { host: "localhost", origin: "http://evil.example", "content-type": "text/plain" };
  const own = { ...foreign, origin: "http://localhost" };
  const codeOf = async <A extends Actor>(auth: Policy<A>, init: RequestInit) => {
    const handler = route({ auth, body: Greeting, returns: z.object({}), handle: () => ({}) });
    return (await errorOf(await ask(handler, new Request("http://localhost/", init)))).code;
  };

  it("is found by credentials, then origin, then role, then the request is looked at", async () => {
    const identify = () => session;
    const post = { method: "POST" };
    const refused = { identify: () => Promise.reject(new AppError("unauthorized", "No.")), ...refuseRole };
    expect(await codeOf(refused, { ...post, headers: foreign })).toBe("unauthorized");
    expect(await codeOf({ identify, ...refuseRole }, { ...post, headers: foreign })).toBe("origin_mismatch");
    expect(await codeOf({ identify, ...refuseRole }, { ...post, headers: own })).toBe("forbidden");
    expect(await codeOf({ identify }, { ...post, headers: own })).toBe("unsupported_media_type");
  });

  it("asks for the origin of every mutation by cookie, and of nothing else unless it is told to", async () => {
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

  it("keeps the reason of a foreign origin to the log", async () => {
    const lines = captureLog();
    const handler = route({ auth: sameOrigin, returns: z.object({}), handle: () => ({}) });
    const error = await errorOf(await ask(handler, postRequest({ headers: foreign })));
    expect(JSON.stringify(error)).not.toMatch(/evil|localhost/);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 30, code: "origin_mismatch", reason: 'Origin is "http://evil.example", want http://localhost' },
    ]);
  });
});

describe("headers that are set before a refusal", () => {
  it("are on the refusal too, beside its own", async () => {
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

describe("a body that may be absent", () => {
  const handler = route({
    auth: anyone,
    body: z.strictObject({}),
    bodyOptional: true,
    returns: z.object({ body: z.object({}) }),
    handle: ({ body }) => ({ body }),
  });
  const answerTo = (init: RequestInit) =>
    ask(handler, new Request("http://localhost/", { method: "POST", duplex: "half", ...init } as RequestInit));
  const json = { "content-type": "application/json" };

  it.each<[string, () => RequestInit]>([
    ["none", () => ({})],
    ["an empty text", () => ({ body: "" })],
    ["an empty body of JSON", () => ({ body: "", headers: json })],
    ["no chunk at all", () => ({ body: chunkedBody([]).body })],
    ["an empty object", () => ({ body: "{}", headers: json })],
  ])("counts as an empty object when it is %s", async (_name, init) => {
    expect(await (await answerTo(init())).json()).toEqual({ body: {} });
  });

  it.each<[string, () => RequestInit]>([
    ["unsupported_media_type", () => ({ body: "{}" })],
    ["unsupported_media_type", () => ({ body: chunkedBody([new Uint8Array(BODY_LIMIT_BYTES + 1)]).body })],
    ["payload_too_large", () => ({ body: " ".repeat(BODY_LIMIT_BYTES + 1), headers: json })],
    ["invalid_json", () => ({ body: " ", headers: json })],
    ["invalid_request", () => ({ body: '{"all":true}', headers: json })],
  ])("is %s where it is there and wrong", async (code, init) => {
    expect((await errorOf(await answerTo(init()))).code).toBe(code);
    expect(heldBytes()).toBe(0);
  });
});

describe("a query", () => {
  const { GET } = methods({
    GET: route({ auth: anyone, query: z.strictObject({ word: z.string().optional() }), handle: () => new Response() }),
  });
  const asked = (query: string) => ask(GET, new Request(`http://localhost/path?${query}`));

  it.each([
    ["NUL", "word=a%00", { path: "/word", code: "invalid_character" }],
    ["an unknown name", "constructor=1", { path: "/constructor", code: "unknown_field" }],
  ])("is refused for %s", async (_, query, issue) => {
    const error = await errorOf(await asked(query));
    expect(error).toMatchObject({ code: "invalid_request", issues: [issue] });
  });

  it("may be empty", async () => {
    expect((await asked("")).status).toBe(200);
  });
});
