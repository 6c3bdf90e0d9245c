import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { entryPointOf, warnOfSharedAddress } from "#lib/http/identity/entry-point.ts";
import { processState } from "#lib/process-state.ts";
import { captureLog } from "../captured-log.ts";

beforeEach(() => vi.stubEnv("SERVICE_AUTH_ENABLED", "true"));
afterEach(() => {
  vi.unstubAllEnvs();
});

function entryPoint(headers: Record<string, string>, encrypted = false) {
  return entryPointOf({ headers: new Headers(headers), encrypted });
}

describe("how a request reached the service", () => {
  it.each(["localhost", "localhost:3000", "127.0.0.1:3000", "127.9.9.9", "[::1]:3000", "app.localhost"])(
    "is local for http://%s",
    (host) => expect(entryPoint({ host })).toMatchObject({ way: "local", isForwarded: false, isNamed: null }),
  );

  it.each(["app.example", "127.0.0.1.example", "localhost.example", "10.0.0.1"])("is http for http://%s", (host) => {
    expect(entryPoint({ host })).toMatchObject({ way: "http", isForwarded: false, isNamed: null });
  });

  it("is https for an encrypted connection", () => {
    expect(entryPoint({ host: "app.example" }, true).way).toBe("https");
  });

  it.each(["x-forwarded-host", "x-forwarded-proto", "x-forwarded-for", "forwarded"])(
    "is through a proxy with %s",
    (name) => {
      expect(entryPoint({ host: "localhost", [name]: "x" }).isForwarded).toBe(true);
    },
  );

  it("is unknown where a header disagrees, and the fault has no text of the request", () => {
    const { way } = entryPoint({ host: "app.example", "x-forwarded-host": "evil.example" });
    expect(way).toEqual({ fault: expect.stringContaining("X-Forwarded-Host") });
    expect(JSON.stringify(way)).not.toContain("evil");
  });

  it("is unknown where a variable is faulty", () => {
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "nonsense");
    expect(entryPoint({ host: "app.example" })).toMatchObject({ way: { fault: expect.any(String) }, isNamed: null });
  });
});

it("a request names the configured origin by its Host or by the forwarded one", () => {
  vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "https://app.example");
  expect(entryPoint({ host: "app.example" }).isNamed).toBe(true);
  expect(entryPoint({ host: "inside:3000", "x-forwarded-host": "app.example" }).isNamed).toBe(true);
  expect(entryPoint({ host: "inside:3000" }).isNamed).toBe(false);
});

describe("clients share one address", () => {
  it.each([
    ["", { "x-forwarded-for": "192.0.2.1" }, "untrusted"],
    ["", { forwarded: "for=192.0.2.1" }, "untrusted"],
    ["true", { "x-forwarded-proto": "https" }, "unnamed"],
    ["true", { "x-forwarded-for": "unknown" }, "unreadable"],
    ["true", { "x-forwarded-for": "192.0.2.1, unknown" }, "unreadable"],
    ["true", { "x-forwarded-for": "192.0.2.1," }, "unreadable"],
    ["2", { "x-forwarded-for": "unix:, 192.0.2.1" }, "unreadable"],
    ["2", { "x-forwarded-for": "192.0.2.1" }, "unnamed"],
  ] as const)("with SERVICE_TRUST_PROXY=%s and %o", (proxies, headers, reason) => {
    vi.stubEnv("SERVICE_TRUST_PROXY", proxies);
    expect(entryPoint({ host: "app.example", ...headers }).sharedAddress).toBe(reason);
  });

  it.each([
    ["", {}],
    ["true", {}],
    ["true", { "x-forwarded-for": "192.0.2.1" }],
    ["2", { "x-forwarded-for": "192.0.2.1, 192.0.2.2" }],
    ["nonsense", { "x-forwarded-for": "192.0.2.1" }],
  ] as const)("but not with SERVICE_TRUST_PROXY=%s and %o", (proxies, headers) => {
    vi.stubEnv("SERVICE_TRUST_PROXY", proxies);
    expect(entryPoint({ host: "app.example", ...headers }).sharedAddress).toBeNull();
  });

  it("the log says so once for each reason, and has no text of the request", () => {
    processState("shared-address", () => undefined).reset();
    vi.stubEnv("SERVICE_TRUST_PROXY", "true");
    const lines = captureLog();
    for (const name of ["x-forwarded-proto", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-for"])
      warnOfSharedAddress({ headers: new Headers({ [name]: "unknown" }), encrypted: false });
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringMatching(/^X-Forwarded-For has fewer addresses/),
      expect.stringMatching(/^The entry of X-Forwarded-For that counts is no address/),
    ]);
    expect(lines.join()).not.toContain('"unknown"');
  });
});
