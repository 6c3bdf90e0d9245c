import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { bodyBudgetBytes } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { BodyShare, heldBytes } from "#lib/http/body/body-budget.ts";
import { requireShape } from "#lib/http/body/shape.ts";
import { BODY_LIMIT_BYTES, ISSUE_LIMIT, JSON_NODE_LIMIT, SMALL_JSON_NODE_LIMIT } from "#lib/http/http-limits.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { route } from "#lib/http/route/route.ts";
import { greet } from "../greeting.ts";
import { ask, chunkedBody, errorOf, postRequest } from "../requests.ts";

describe("the memory of a body", () => {
  it("is held until the response is ready, also where that is an error", async () => {
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

describe("a body that has arrived", () => {
  /** Fills the memory with smaller bodies of the same address until another caller's body needs a large one's. */
  function crowd(held: number): void {
    const shares: BodyShare[] = [];
    onTestFinished(() => shares.forEach((share) => void share.release()));
    const take = (caller: string, bytes: number) => {
      const share = new BodyShare(caller);
      shares.push(share);
      share.grow(bytes);
    };
    while (heldBytes() + BODY_LIMIT_BYTES <= bodyBudgetBytes()) take("unknown", BODY_LIMIT_BYTES);
    expect(heldBytes()).toBeGreaterThan(held);
    take("other", BODY_LIMIT_BYTES);
  }

  const handlerOf = (bodyLimitBytes: number, act: (signal: AbortSignal) => void | Promise<void>) =>
    route({
      auth: anyone,
      body: z.object({}),
      bodyLimitBytes,
      returns: z.object({}),
      handle: async ({ signal }) => {
        await act(signal);
        return {};
      },
    });

  it("ends its request when it has to make room and its route takes large ones", async () => {
    const bytes = 2 * BODY_LIMIT_BYTES;
    const handler = handlerOf(bytes, (signal) => {
      const ended = new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      crowd(bytes);
      return ended;
    });
    const { code } = await errorOf(await ask(handler, postRequest({ body: "{}".padEnd(bytes) })));
    expect(code).toBe("overloaded");
  });

  it("never breaks off what another route does", async () => {
    const handler = handlerOf(BODY_LIMIT_BYTES, (signal) => {
      crowd(BODY_LIMIT_BYTES);
      expect(signal.aborted).toBe(false);
    });
    expect((await ask(handler, postRequest({ body: "{}".padEnd(BODY_LIMIT_BYTES) }))).status).toBe(200);
  });
});

describe("a body of the wrong shape", () => {
  it("is refused with every fault, each with what was got and what is wanted", async () => {
    const body = '{"nmae":"x","tags":["a",1],"times":10,"zebra":null}';
    const { issues, message } = await errorOf(await ask(greet, postRequest({ body })));
    expect(message).toBe("The body has 5 faults.");
    expect(issues).toEqual([
      { path: "/name", code: "missing_field", message: "Got nothing, want a string." },
      { path: "/times", code: "too_big", message: "Got too much, want at most 9." },
      { path: "/tags/1", code: "invalid_type", message: "Got a number, want a string." },
      { path: "/nmae", code: "unknown_field", message: 'Unknown field "nmae". Did you mean "name"?' },
      { path: "/zebra", code: "unknown_field", message: 'Unknown field "zebra". Want "name", "times", "tags".' },
    ]);
  });
});

describe("the faults of a shape", () => {
  const schema = z.strictObject({
    name: z.string().min(1).max(2).optional(),
    tags: z.array(z.string()).min(2).optional(),
    inner: z.strictObject({ name: z.string() }).optional(),
    custom: z.custom(() => false, { params: { code: "not_odd" }, message: "Got an odd value." }).optional(),
  });

  const issuesOf = (value: unknown) => {
    try {
      requireShape({ schema, value, name: "The value" });
    } catch (error) {
      return error instanceof AppError ? error.issues : [];
    }
    return [];
  };

  it("count in characters and elements", () => {
    expect(issuesOf({ name: "", tags: [] }).map(({ message }) => message)).toEqual([
      "Got too little, want at least 1 character.",
      "Got too little, want at least 2 elements.",
    ]);
    expect(issuesOf({ name: "abc" })[0]?.message).toContain("want at most 2 characters.");
  });

  it("suggest names of the outer object only for its own keys", () => {
    expect(issuesOf({ inner: { name: "x", nam: 1 } })).toEqual([
      { path: "/inner/nam", code: "unknown_field", message: 'Unknown field "nam".' },
    ]);
  });

  it("name the values and the form that are wanted", () => {
    const form = z.strictObject({ role: z.enum(["user", "admin"]), id: z.uuid(), day: z.iso.date() });
    const value = { role: "root", id: "7", day: "today" };
    expect(() => requireShape({ schema: form, value, name: "The body" })).toThrow(
      expect.objectContaining({
        issues: [
          { path: "/role", code: "invalid_value", message: 'Got another value, want "user" or "admin".' },
          { path: "/id", code: "invalid_format", message: "Got a text of another form, want an id, which is a UUID." },
          { path: "/day", code: "invalid_format", message: "Got a text of another form, want a valid date." },
        ],
      }),
    );
  });

  it("have the code of a custom check", () => {
    expect(issuesOf({ custom: 1 })).toEqual([{ path: "/custom", code: "not_odd", message: "Got an odd value." }]);
  });

  it("are bounded in number and length", () => {
    const long = "k".repeat(10_000);
    const [issue] = issuesOf({ [long]: 1 });
    expect(JSON.stringify(issue).length).toBeLessThan(500);
    expect(issuesOf(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1])))).toHaveLength(
      ISSUE_LIMIT,
    );
    expect(issuesOf({ tags: Array(500).fill(1) })).toHaveLength(ISSUE_LIMIT);
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
  ])("is refused with %s where it is present and wrong", async (code, init) => {
    expect((await errorOf(await answerTo(init()))).code).toBe(code);
    expect(heldBytes()).toBe(0);
  });
});

it("a small body may hold a few hundred values, a large one many thousand", async () => {
  const schema = z.object({ list: z.array(z.number()) });
  const statusOf = async (length: number, bodyLimitBytes: number) => {
    const listing = route({ auth: anyone, body: schema, bodyLimitBytes, handle: () => new Response() });
    return (await ask(listing, postRequest({ body: JSON.stringify({ list: Array(length).fill(1) }) }))).status;
  };
  expect(await statusOf(SMALL_JSON_NODE_LIMIT - 2, BODY_LIMIT_BYTES)).toBe(200);
  expect(await statusOf(SMALL_JSON_NODE_LIMIT, BODY_LIMIT_BYTES)).toBe(400);
  expect(await statusOf(JSON_NODE_LIMIT - 2, BODY_LIMIT_BYTES + 1)).toBe(200);
});
