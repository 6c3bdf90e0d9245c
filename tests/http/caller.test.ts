import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Actor } from "#lib/access/actor.ts";
import { callerOf, fairCaller, senderAddress } from "#lib/http/identity/caller.ts";
import { runInRequestContext } from "#lib/http/server/request-context.ts";

type Arrived = { headers?: Record<string, string>; address?: string };

function callerFrom({ headers = {}, address = "192.0.2.1" }: Arrived) {
  const received = { headers: new Headers(headers), address, encrypted: false };
  const context = { requestId: "0199f000-0000-7000-8000-000000000000", method: "POST", received };
  // Next has added this header, which must not count.
  const request = new Request("http://localhost/", { headers: { "x-forwarded-for": "203.0.113.99" } });
  return runInRequestContext(context, () => callerOf(request));
}

const addressFrom = (arrived: Arrived) => callerFrom(arrived).address;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the address of a caller", () => {
  it("is the connection's in open mode, also where a variable of the access layer is faulty", () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "");
    vi.stubEnv("SERVICE_TRUST_PROXY", "perhaps");
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "nonsense");
    expect(addressFrom({ headers: { "x-forwarded-for": "203.0.113.7" } })).toBe("192.0.2.1");
  });

  it("is the connection's before the route with a faulty variable, so that probes are answered; routes are not", () => {
    vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
    vi.stubEnv("SERVICE_TRUST_PROXY", "perhaps");
    const headers = new Headers({ "x-forwarded-for": "203.0.113.7" });
    expect(senderAddress({ headers, address: "::ffff:192.0.2.1", encrypted: false })).toBe("192.0.2.1");
    expect(() => addressFrom({})).toThrow("SERVICE_TRUST_PROXY");
  });

  it("is the connection's, in canonical form", () => {
    expect(addressFrom({})).toBe("192.0.2.1");
    expect(addressFrom({ address: "::ffff:192.0.2.1" })).toBe("192.0.2.1");
    expect(addressFrom({ address: "2001:DB8:0::1" })).toBe("2001:db8::1");
    expect(addressFrom({ address: "fe80::1%eth0" })).toBe("fe80::1");
  });

  it("is not taken from a header while no proxy is trusted", () => {
    for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "true-client-ip"]) {
      expect(addressFrom({ headers: { [name]: "203.0.113.7" } })).toBe("192.0.2.1");
    }
  });

  it("is null where it is unknown", () => {
    const request = new Request("http://localhost/", { headers: { "x-forwarded-for": "203.0.113.7" } });
    expect(callerOf(request)).toEqual({ address: null, userAgent: null, requestId: null });
  });

  describe("behind a trusted proxy", () => {
    beforeEach(() => vi.stubEnv("SERVICE_TRUST_PROXY", "true"));

    it.each([
      ["203.0.113.7", "203.0.113.7"],
      ["198.51.100.1, 203.0.113.7", "203.0.113.7"],
      ["198.51.100.1,\t203.0.113.7 ", "203.0.113.7"],
      ["203.0.113.7:4711", "203.0.113.7"],
      ["[2001:db8::7]:4711", "2001:db8::7"],
      ["2001:db8::7", "2001:db8::7"],
    ])("is the one that the proxy appended: %s", (value, address) => {
      expect(addressFrom({ headers: { "x-forwarded-for": value } })).toBe(address);
    });

    it.each(["", "unknown", "203.0.113.7, ", "127.1", "0x7f.1", "2130706433", "1.2.3.4.5", "a".repeat(10_000)])(
      "is the proxy's where it appended no address: %j",
      (value) => expect(addressFrom({ headers: { "x-forwarded-for": value } })).toBe("192.0.2.1"),
    );

    it("is the proxy's where it sent no header", () => expect(addressFrom({})).toBe("192.0.2.1"));

    it.each([
      ["2", "203.0.113.7, 10.0.0.1", "203.0.113.7"],
      ["2", "198.51.100.1, 203.0.113.7,10.0.0.1", "203.0.113.7"],
      ["3", "198.51.100.1, 203.0.113.7, 10.0.0.2, 10.0.0.1", "203.0.113.7"],
      ["2", "203.0.113.7", "192.0.2.1"],
    ])("is the one that the first of %s proxies appended: %s", (proxies, value, address) => {
      vi.stubEnv("SERVICE_TRUST_PROXY", proxies);
      expect(addressFrom({ headers: { "x-forwarded-for": value } })).toBe(address);
    });
  });
});

describe("the user agent of a caller", () => {
  it("is short and holds no control character", () => {
    expect(callerFrom({ headers: { "user-agent": "curl/8\t\u009b2J" } }).userAgent).toBe("curl/82J");
    expect(callerFrom({ headers: { "user-agent": "x".repeat(9_000) } }).userAgent).toHaveLength(200);
    expect(callerFrom({ headers: { "user-agent": "" } }).userAgent).toBeNull();
  });
});

it("senders without an account share with their IPv6 /48, of which one client may have all subnets", () => {
  const nameOf = (address: string | null) => fairCaller({ kind: "anonymous" } as Actor, { address });
  expect(new Set(["2001:db8:1:2::1", "2001:db8:1:3::1"].map(nameOf)).size).toBe(1);
  expect(new Set(["2001:db8:1:2::1", "2001:db8:2::1", "192.0.2.1", "192.0.2.2", null].map(nameOf)).size).toBe(5);
});
