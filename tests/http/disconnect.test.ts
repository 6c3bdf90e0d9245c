import { expect, test } from "vitest";
import { anyone } from "#lib/http/identity/auth.ts";
import { route } from "#lib/http/route/route.ts";
import { collectGarbage } from "../garbage.ts";
import { ask } from "./requests.ts";

test("a handler's signal aborts when the client disconnects, also after the request was garbage collected", async () => {
  const client = new AbortController();
  const { promise, resolve } = Promise.withResolvers<AbortSignal>();
  const handler = route({
    auth: anyone,
    handle: ({ signal }) => {
      resolve(signal);
      return new Response();
    },
  });
  await (await ask(handler, new Request("http://localhost/", { signal: client.signal }))).text();
  const signal = await promise;
  await collectGarbage();
  client.abort();
  expect(signal.aborted).toBe(true);
});
