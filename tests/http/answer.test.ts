import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { jsonResponse, streamedResponse } from "#lib/http/response/answer.ts";
import { route } from "#lib/http/route/route.ts";
import { readMetric } from "#lib/metrics.ts";
import { captureLog } from "../captured-log.ts";
import { mostInOneTurn } from "../turns.ts";
import { ask, errorOf } from "./requests.ts";

function failing(thrown: unknown) {
  const handle = () => Promise.reject(thrown);
  return route({ auth: anyone, returns: z.object({}), handle });
}

const get = () => new Request("http://localhost/path?token=secret", { headers: { authorization: "Bearer hidden" } });

afterEach(() => {
  vi.unstubAllEnvs();
});

it("the length of an answer is that of its bytes", async () => {
  const response = jsonResponse({ value: { name: "Zoë" }, status: 200 });
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(await response.text())));
});

describe("a streamed response", () => {
  const streamed = (parts: AsyncGenerator<string>) => streamedResponse({ parts, headers: {} });

  it.each([
    { how: "goes on", next: () => Promise.resolve("second") },
    { how: "fails", next: () => Promise.reject(new Error("lost")) },
  ])("whose client leaves while a part is made, which then $how, logs nothing", async ({ next }) => {
    const lines = captureLog();
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
    const reader = streamed(
      (async function* () {
        yield "first";
        ask();
        await isLeft;
        yield await next();
      })(),
    ).body?.getReader();
    await reader?.read();
    const second = reader?.read();
    await isAsked;
    const left = reader?.cancel();
    leave();
    expect(await second).toMatchObject({ done: true });
    await left?.catch(() => undefined);
    await sleep(10);
    expect(lines).toEqual([]);
  });

  it("that fails is cut, and logs why", async () => {
    const lines = captureLog();
    const failing = (async function* () {
      yield "first";
      throw new Error("lost");
    })();
    await expect(streamed(failing).text()).rejects.toThrow("broke off");
    expect(lines.join("")).toContain("lost");
  });
});

describe("a list", () => {
  const listing = (count: number, onItem = () => {}) => {
    const item = z.object({ at: z.number(), name: z.string() }).transform((one) => {
      onItem();
      return one;
    });
    const handle = () => Array.from({ length: count }, (_, at) => ({ at, name: `Zoë ${at}`, secret: "hidden" }));
    return route({ auth: anyone, returns: z.array(item), handle });
  };

  it.each([0, 1, 250, 251, 1_000])(
    "of %d items is JSON with its length, without keys that no schema has",
    async (count) => {
      const response = await ask(listing(count), get());
      const length = response.headers.get("content-length");
      const text = await response.text();
      expect(Number(length)).toBe(Buffer.byteLength(text));
      expect(JSON.parse(text)).toEqual(Array.from({ length: count }, (_, at) => ({ at, name: `Zoë ${at}` })));
    },
  );

  it("of thousands of items lets other requests in between", async () => {
    const most = await mostInOneTurn((count) => ask(listing(5_000, count), get()));
    expect(most).toBeLessThan(1_000);
  });

  it("with a wrong item at its end is an error", async () => {
    const handle = () => Array.from({ length: 1_000 }, (_, at) => (at === 999 ? "x" : at)) as number[];
    const response = await ask(route({ auth: anyone, returns: z.array(z.number()), handle }), get());
    expect((await errorOf(response)).code).toBe("internal");
  });
});

describe("a thrown error", () => {
  it("of the domain is answered with its code, issues and headers", async () => {
    const issues = [{ path: "/a", code: "x", message: "y" }];
    const thrown = new AppError("overloaded", "Busy.", { issues, headers: { "Retry-After": "3" } });
    const response = await ask(failing(thrown), get());
    expect(response.headers.get("retry-after")).toBe("3");
    expect(await errorOf(response)).toMatchObject({ code: "overloaded", message: "Busy.", issues });
  });

  it("of the domain is recognised when another copy of its module has thrown it", async () => {
    const thrown = Object.assign(new Error("Late."), {
      name: "AppError",
      code: "render_timeout",
      status: 504,
      issues: [],
      headers: {},
    });
    expect(await errorOf(await ask(failing(thrown), get()))).toMatchObject({
      code: "render_timeout",
      message: "Late.",
    });
  });

  it("of the configuration is a 503 without the value of the variable", async () => {
    const thrown = new ConfigError([{ variable: "SERVICE_RENDER_QUEUE", message: 'got "lots"' }]);
    const error = await errorOf(await ask(failing(thrown), get()));
    expect(error.code).toBe("misconfigured");
    expect(error.message).not.toContain("lots");
  });

  it.each([new Error("SELECT * FROM /etc/passwd"), "text", undefined, null, { code: "not_found" }])(
    "of any other kind is a generic 500: %s",
    async (thrown) => {
      const error = await errorOf(await ask(failing(thrown), get()));
      expect(error).toEqual({ code: "internal", message: expect.any(String), requestId: error.requestId });
      expect(error.message).not.toContain("passwd");
    },
  );

  it("is logged with its stack and request id, without query, credentials or body", async () => {
    const lines = captureLog();
    const error = await errorOf(await ask(failing(new Error("boom")), get()));
    expect(lines).toHaveLength(1);
    const line = JSON.parse(lines[0] ?? "");
    expect(line).toMatchObject({
      method: "GET",
      path: "/path",
      status: 500,
      requestId: error.requestId,
      code: "internal",
    });
    expect(line.err.stack).toContain("answer.test.ts");
    expect(lines[0]).not.toMatch(/secret|hidden/);
  });
});

describe("a refusal", () => {
  const refused = async (thrown: unknown) => {
    const lines = captureLog();
    await ask(failing(thrown), get());
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0] ?? "");
  };

  it.each(["overloaded", "unavailable", "misconfigured", "render_timeout"] as const)(
    "with %s is logged as a warning, with its reason and without a stack",
    async (code) => {
      const line = await refused(new AppError(code, "Not now.", { cause: new Error("inner") }));
      expect(line).toMatchObject({ level: "warn", code, reason: "Not now." });
      expect(line).not.toHaveProperty("err");
    },
  );

  it("for the configuration is logged with the reason that the client does not get", async () => {
    const line = await refused(new ConfigError([{ variable: "PORT", message: 'got "http"' }]));
    expect(line).toMatchObject({
      level: "warn",
      code: "misconfigured",
      reason: expect.stringContaining('PORT: got "http"'),
    });
  });

  it("for the request is logged at level info", async () => {
    expect(await refused(new AppError("invalid_data", "Wrong."))).toMatchObject({
      level: "info",
      code: "invalid_data",
    });
  });

  it("for a bug is logged with its stack", async () => {
    const line = await refused(new AppError("render_failed", "Broken.", { cause: new Error("inner") }));
    expect(line).toMatchObject({ level: "error", code: "render_failed" });
    expect(line.err.stack).toContain("inner");
  });
});

describe("a client that disconnects", () => {
  it("is not counted or logged as an error", async () => {
    const lines = captureLog();
    const refusals = await readMetric("platen_refusals_total");
    const controller = new AbortController();
    const waiting = route({
      auth: anyone,
      returns: z.object({}),
      handle: ({ signal }) => sleep(10_000, {}, { signal }),
    });
    const answered = ask(waiting, new Request("http://localhost/path", { signal: controller.signal }));
    controller.abort();
    await answered;
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "info", msg: "the client disconnected" }]);
    expect(lines[0]).not.toContain('"err"');
    expect(await readMetric("platen_refusals_total")).toEqual(refusals);
  });
});
