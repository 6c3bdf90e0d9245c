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

it("a page asks with the parameters of the path and the query, and is told the headers", async () => {
  const asked = { returns: Echo, params: { id: "a/b" }, query: { word: "&=é", absent: undefined } };
  expect(await call(get, asked)).toEqual({ id: "a/b", word: "&=é" });
  expect((await callWithHeaders(get, asked)).headers.get("x-total-count")).toBe("7");
});

it("a page that asks wrongly is told every fault", async () => {
  const refusal = call(get, { returns: Echo, query: { word: "long", other: "x" } });
  await expect(refusal).rejects.toMatchObject({
    code: "invalid_request",
    message: "The query has 2 faults.",
    issues: [{ path: "/word" }, { path: "/other" }],
  });
});

describe("a call from inside", () => {
  const page = { requestId: "01J", method: "GET", path: "/tokens" };
  const asked = { returns: Echo, params: { id: "a" }, query: { word: "abc" } };

  const refusing = (thrown: unknown) => route({ auth: anyone, returns: Echo, handle: () => Promise.reject(thrown) });

  async function refusals(): Promise<number> {
    const readings = await readMetric("platen_refusals_total");
    return readings.reduce((sum, { value }) => sum + value, 0);
  }

  it("is no request: it has no line in the log and is not counted, however it ends", async () => {
    const lines = captureLog();
    const before = await refusals();
    await runInRequestContext(page, () => call(get, asked));
    for (const code of ["unauthorized", "not_found", "unavailable"] as const)
      await expect(runInRequestContext(page, () => call(refusing(new AppError(code, "No.")), asked))).rejects.toThrow(
        "No.",
      );
    expect([lines, await refusals()]).toEqual([[], before]);
  });

  it("that meets a fault of ours is logged where it failed, under the request and the path of the page", async () => {
    const lines = captureLog();
    const broken = runInRequestContext(page, () => call(refusing(new TypeError("boom")), asked));
    await expect(broken).rejects.toMatchObject({ code: "internal" });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, requestId: "01J", path: "/tokens", code: "internal", err: { message: "boom" } },
    ]);
  });

  it("tells who asked when to ask again, and for the log what was thrown", async () => {
    const away = new AppError("unavailable", "Away.", { headers: { "Retry-After": "2" } });
    await expect(call(refusing(away), asked)).rejects.toMatchObject({ headers: { "Retry-After": "2" }, cause: away });
    const fault = new ConfigError([{ variable: "PORT", message: 'got "http"' }]);
    await expect(call(refusing(fault), asked)).rejects.toMatchObject({ code: "misconfigured", cause: fault });
  });
});
