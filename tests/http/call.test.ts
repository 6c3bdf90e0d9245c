import { expect, it } from "vitest";
import { z } from "zod";
import { anyone } from "#lib/http/auth.ts";
import { call, callWithHeaders } from "#lib/http/call.ts";
import { route } from "#lib/http/route.ts";

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
