import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loginPath, toLocalPath } from "../../app/ui/page/local-path.ts";

describe("the page after signing in", () => {
  it("is a page of this service", () => {
    for (const path of ["/", "/tokens", "/users/7?tab=tokens#row", "/templates/social/quote?data=%7B%7D"]) {
      expect(toLocalPath(path)).toBe(path);
    }
  });

  it("is the front page for any other value", () => {
    const foreign = ["//evil.example", "/\\evil.example", "/\t/evil.example", "/\n/evil.example", "/a\\..\\b", "///x"];
    const others = ["https://evil.example", "javascript:alert(1)", "tokens", "", " /tokens", "/.//evil.example"];
    const loops = ["/login", "/login?next=/", "/api/service/logout"];
    for (const next of [...foreign, ...others, ...loops, undefined, ["/tokens"]]) {
      expect([next, toLocalPath(next)]).toEqual([next, "/"]);
    }
  });

  it("never leaves this origin, for any input", () => {
    const here = "http://service.example";
    const text = fc.string({
      unit: fc.constantFrom("/", "\\", ".", ":", "@", "?", "#", "%", "2", "f", "\t", "a", " "),
    });
    fc.assert(
      fc.property(text, (next) => {
        expect(new URL(toLocalPath(`/${next}`), `${here}/login`).origin).toBe(here);
      }),
    );
  });

  it("is passed to the sign-in page, unless it is the front page", () => {
    expect(loginPath("/tokens")).toBe("/login?next=%2Ftokens");
    expect(loginPath("/")).toBe("/login");
    expect(loginPath("//evil.example")).toBe("/login");
  });

  it("is passed without its query where that is long, so that proxies take the redirect", () => {
    // Each slash is three characters in the redirect.
    for (const [query, kept] of [
      ["?title=%22".padEnd(6_000, "a"), true],
      ["?title=".padEnd(15_000, "/"), false],
      ["?title=".padEnd(20_000, "a"), false],
    ] as const) {
      expect(loginPath(`/templates/a/b${query}`)).toBe(
        `/login?next=${encodeURIComponent(`/templates/a/b${kept ? query : ""}`)}`,
      );
    }
    expect(loginPath(`/${"a/".repeat(7_000)}`)).toBe("/login");
    // Each quotation mark is three characters in an address.
    expect(toLocalPath(`/?title=${'"'.repeat(7_000)}`)).toBe("/");
  });
});
