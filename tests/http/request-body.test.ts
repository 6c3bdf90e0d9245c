import { describe, expect, it } from "vitest";
import { z } from "zod";
import { heldBytes } from "#lib/http/body/body-budget.ts";
import { BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { route } from "#lib/http/route/route.ts";
import { greet } from "./greeting.ts";
import { ask, chunkedBody, errorOf, postRequest } from "./requests.ts";

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
    const { issues, message } = await errorOf(await ask(greet, postRequest({ body })));
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
