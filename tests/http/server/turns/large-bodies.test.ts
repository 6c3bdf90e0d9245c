import { expect, it } from "vitest";
import { RequestTurns } from "#lib/http/server/request-turns.ts";
import { newResponse, pass, run } from "./take-turns.ts";

const CHUNKED = { "transfer-encoding": "chunked" };

it.each([
  ["that may hide the end of their connections", { "content-length": "65536" }, 1],
  ["of unknown length", CHUNKED, 1],
  ["that are taken in at once", { "content-length": "65535" }, 20],
  // Node calls these incomplete while it hands them over.
  ["that they do not have", {}, 20],
])("a request waits for a turn of those with bodies %s, of the same address", async (_what, headers, before) => {
  const { begun, add } = run();
  add("shared", "begins at once");
  for (let at = 0; at < 20; at++) add("shared", "large", newResponse(undefined, { headers, complete: false }));
  add("shared", "owner");
  await pass(30);
  expect([begun.indexOf("owner"), begun.length]).toEqual([before + 1, 22]);
});

it("beyond the limit, requests with large bodies are refused before others of the same address", async () => {
  const { begun, refused, add } = run(new RequestTurns({ waiting: 3 }));
  add("shared", "begins at once");
  for (let at = 1; at <= 3; at++)
    add("shared", `large ${at}`, newResponse(undefined, { headers: CHUNKED, complete: false }));
  add("shared", "owner");
  await pass(10);
  expect(refused).toEqual(["large 3: overloaded"]);
  expect(begun).toEqual(["begins at once", "large 1", "owner", "large 2"]);
});
