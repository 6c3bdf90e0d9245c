import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { dropInvalidRscHeaders, dropRscHeaders, requirePagePath } from "#lib/http/server/head.ts";

type Drop = typeof dropRscHeaders;

/** The headers of a request that are left after `drop`. */
function left(drop: Drop, headers: IncomingHttpHeaders, url = "/users"): IncomingHttpHeaders {
  const request = { url, headers: { ...headers } } as IncomingMessage;
  drop(request);
  return request.headers;
}

const ROUTER_HEADERS = {
  rsc: "1",
  "next-router-state-tree": '["",{}]',
  "next-router-prefetch": "1",
  "next-router-segment-prefetch": "/_tree",
  "next-hmr-refresh": "1",
  "next-url": "/users",
};

describe("the headers of Next's client", () => {
  it("are kept where a page is asked for its data", () => {
    expect(left(dropInvalidRscHeaders, ROUTER_HEADERS)).toEqual(ROUTER_HEADERS);
  });

  it.each([undefined, "", "0", "1, 1", "true"])("are dropped where `rsc` is %j", (rsc) => {
    const headers = { ...ROUTER_HEADERS, "next-action": "x", "x-other": "1" };
    const { rsc: _one, ...others } = headers;
    expect(left(dropInvalidRscHeaders, rsc === undefined ? others : { ...headers, rsc })).toEqual({
      "x-other": "1",
    });
  });

  it("are dropped where the address is long, because a redirect would hold it", () => {
    expect(left(dropInvalidRscHeaders, ROUTER_HEADERS, "/?".padEnd(8_000, '"'))).toEqual(ROUTER_HEADERS);
    expect(left(dropInvalidRscHeaders, ROUTER_HEADERS, "/?".padEnd(8_001, '"'))).toEqual({});
  });

  it("are dropped for a route", () => {
    expect(left(dropRscHeaders, { ...ROUTER_HEADERS, "x-other": "1" })).toEqual({ "x-other": "1" });
  });
});

describe("the state of Next's client", () => {
  const parameter = ["slug", "social/quote", "c", ["docs", "users"]];
  const page = ["__PAGE__", {}, null, null, 0, "?search=[[["];
  const state = ["", { children: ["templates", { children: [parameter, { children: page }] }] }, null, "refetch"];

  /** A state of so many segments, one in the other. */
  const deep = (levels: number) => `${'["",{"a":'.repeat(levels - 1)}["",{}]${"}]".repeat(levels - 1)}`;

  const isKept = (header: string | string[]) => {
    const headers = { ...ROUTER_HEADERS, "next-router-state-tree": header } as IncomingHttpHeaders;
    const { "next-router-state-tree": kept, ...others } = left(dropInvalidRscHeaders, headers);
    expect(others).toMatchObject({ rsc: "1", "next-url": "/users" });
    return kept !== undefined;
  };

  it.each([
    ["of a page", encodeURIComponent(JSON.stringify(state))],
    ["that is not encoded", JSON.stringify(state)],
    ["of 40 levels", deep(40)],
  ])("%s is kept", (_name, header) => {
    expect(isKept(header)).toBe(true);
  });

  it.each([
    ["that is no JSON", "x"],
    ["that is empty", ""],
    ["with a malformed encoding", "%5B%zz"],
    ["that is no array", '{"0":"","1":{}}'],
    ["without children", '[""]'],
    ["with a child that is none", '["",{"children":"users"}]'],
    ["with a child under a poisoned name", '["",{"__proto__":5}]'],
    ["with an unknown kind of parameter", '[["slug","a","x",null],{}]'],
    ["with an unknown mark", '["",{},null,"everything"]'],
    ["with too many elements", '["",{},null,null,0,"",1]'],
    ["sent twice", '["",{}], ["",{}]'],
    ["of 51 levels", deep(51)],
    ["of 1,600 levels", encodeURIComponent(deep(1_600))],
    ["of 50,000 characters", JSON.stringify(["x".repeat(50_000), {}])],
  ])("%s is dropped", (_name, header) => {
    expect(isKept(header)).toBe(false);
  });
});

describe("the path of a page", () => {
  it.each(["/users", "/", "/rsc", "/users?a=.rsc", "/users.rscx", "/docs/a.segments", "/_next/static/chunks/1.js"])(
    "may be %s",
    (path) => {
      expect(() => requirePagePath(path)).not.toThrow();
    },
  );

  it.each([
    "/users.rsc",
    "/.rsc",
    "/users.rsc/",
    "/users.rsc?a=b",
    "/users%2Ersc",
    "/users.segments/_tree.segment.rsc",
    "/users.segments%2F_tree",
    "/_global-error",
    "/_global-error/?a=b",
    "/%5Fglobal-error",
  ])("%s is not found", (path) => {
    expect(() => requirePagePath(path)).toThrow(expect.objectContaining({ code: "not_found" }));
  });
});
