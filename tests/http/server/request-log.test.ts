import { describe, expect, it } from "vitest";
import { LOGGED_PATH_CHARS } from "#lib/http/http-limits.ts";
import { loggedPath } from "#lib/http/server/request-log.ts";

describe("the path of a log line", () => {
  it.each([
    "/",
    "/api/service/images/render",
    "/api/service/tokens/0199f000-0000-7000-8000-000000000000",
    "/docs/api/social/quote.md",
  ])("keeps %s", (path) => {
    expect(loggedPath(path)).toBe(path);
  });

  it.each([
    ["a token", "/api/service/svc_0123456789abcdef"],
    ["capitals", "/api/service/Secret"],
    ["a long segment", `/api/service/${"a".repeat(37)}`],
    ["an escape", "/api/service/%73ecret"],
    ["a query", "/api/service/x?secret=1"],
  ])("leaves out %s", (_name, path) => {
    expect(loggedPath(path)).toBe("/api/service/…");
  });

  it("is short", () => {
    expect(loggedPath("/a".repeat(LOGGED_PATH_CHARS))).toHaveLength(LOGGED_PATH_CHARS);
  });
});
