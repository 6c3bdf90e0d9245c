import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { call, callWithHeaders } from "#lib/http/route/call.ts";
import { route } from "#lib/http/route/route.ts";
import { runInRequestContext } from "#lib/http/server/request-context.ts";
import { readMetric } from "#lib/metrics.ts";
import { captureLog } from "../captured-log.ts";

const Echo = z.object({ id: z.unknown(), word: z.string() });

const get = route({
  auth: anyone,
  query: z.strictObject({ word: z.string().max(3) }),
  returns: Echo,
  handle: ({ params, query, headers }) => {
    headers.set("X-Total-Count", "7");
    return { id: params.id, word: query.word };
  },
});

it("a page passes the parameters of path and query, and gets the headers", async () => {
  const asked = { returns: Echo, params: { id: "a/b" }, query: { word: "&=é", absent: undefined } };
  expect(await call(get, asked)).toEqual({ id: "a/b", word: "&=é" });
  expect((await callWithHeaders(get, asked)).headers.get("x-total-count")).toBe("7");
});

it("a page checks every item of a long list, and other requests get a turn meanwhile", async () => {
  const list = Array.from({ length: 10_000 }, (_, at) => ({ id: at, word: "a" }));
  const getList = route({ auth: anyone, returns: z.array(z.unknown()), handle: () => list });
  let turns = 0;
  const counted = z.array(Echo.transform((item) => ({ ...item, turns })));
  let isOver = false;
  const countTurn = () => {
    turns++;
    if (!isOver) setImmediate(countTurn);
  };
  countTurn();
  const read = await call(getList, { returns: counted }).finally(() => {
    isOver = true;
  });
  expect(read.map(({ id }) => id)).toEqual(list.map(({ id }) => id));
  expect(new Set(read.map((item) => item.turns)).size).toBeGreaterThan(10);
  const wrong = z.array(z.object({ id: z.number().max(9_998) }));
  await expect(call(getList, { returns: wrong })).rejects.toThrow(z.ZodError);
});

it("a page gets every fault of its query", async () => {
  const refusal = call(get, { returns: Echo, query: { word: "long", other: "x" } });
  await expect(refusal).rejects.toMatchObject({
    code: "invalid_request",
    message: "The query has 2 faults.",
    issues: [{ path: "/word" }, { path: "/other" }],
  });
});

describe("a call in process", () => {
  const page = { requestId: "01J", method: "GET", path: "/tokens" };
  const asked = { returns: Echo, params: { id: "a" }, query: { word: "abc" } };

  const refusing = (thrown: unknown) => route({ auth: anyone, returns: Echo, handle: () => Promise.reject(thrown) });

  async function refusals(): Promise<number> {
    const readings = await readMetric("platen_refusals_total");
    return readings.reduce((sum, { value }) => sum + value, 0);
  }

  it("is not a request: it is neither logged nor counted, however it ends", async () => {
    const lines = captureLog();
    const before = await refusals();
    await runInRequestContext(page, () => call(get, asked));
    for (const code of ["unauthorized", "not_found", "unavailable"] as const)
      await expect(runInRequestContext(page, () => call(refusing(new AppError(code, "No.")), asked))).rejects.toThrow(
        "No.",
      );
    expect([lines, await refusals()]).toEqual([[], before]);
  });

  it("is logged when it fails through a bug, with the request id and path of the page", async () => {
    const lines = captureLog();
    const broken = runInRequestContext(page, () => call(refusing(new TypeError("boom")), asked));
    await expect(broken).rejects.toMatchObject({ code: "internal" });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "error", requestId: "01J", path: "/tokens", code: "internal", err: { message: "boom" } },
    ]);
  });

  it("throws with the Retry-After of the route, and with its error as the cause", async () => {
    const away = new AppError("unavailable", "Away.", { headers: { "Retry-After": "2" } });
    await expect(call(refusing(away), asked)).rejects.toMatchObject({ headers: { "Retry-After": "2" }, cause: away });
    const fault = new ConfigError([{ variable: "PORT", message: 'got "http"' }]);
    await expect(call(refusing(fault), asked)).rejects.toMatchObject({ code: "misconfigured", cause: fault });
  });
});
