import { afterEach, describe, expect, it, vi } from "vitest";
import { originForDeveloper } from "#lib/http/identity/developer.ts";

const LOCAL = { address: "127.0.0.1", host: "localhost:3000" };

function wanted({ address, ...headers }: Record<string, string>): string | undefined {
  return originForDeveloper({ headers: new Headers(headers), encrypted: false, ...(address && { address }) });
}

afterEach(() => void vi.unstubAllEnvs());

describe("the origin that the service wants", () => {
  it.each([
    ["localhost", LOCAL],
    ["an address of this machine", { address: "::ffff:127.0.0.1", host: "127.0.0.1:3000" }],
    ["IPv6", { address: "::1", host: "[::1]:3000" }],
    ["another origin", { ...LOCAL, origin: "http://elsewhere.example" }],
  ])("is told to a program of this machine: %s", (_, request) => {
    expect(wanted(request)).toBe(`http://${request.host}`);
  });

  it("is the configured one where there is one", () => {
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "https://cards.example.org");
    expect(wanted(LOCAL)).toBe("https://cards.example.org");
  });

  it.each([
    ["another machine", { ...LOCAL, address: "192.0.2.7" }],
    ["a server that does not tell who asks", { host: LOCAL.host }],
    ["another host", { ...LOCAL, host: "cards.example.org" }],
    ["a host that only begins like one", { ...LOCAL, host: "localhost.example.org" }],
    ["no host", { address: LOCAL.address }],
    ["a proxy that names a client", { ...LOCAL, "x-forwarded-for": "192.0.2.7" }],
    ["a proxy that names a host", { ...LOCAL, "x-forwarded-host": "cards.example.org" }],
    ["a proxy of RFC 7239", { ...LOCAL, forwarded: "for=192.0.2.7" }],
    ["a browser, for another site", { ...LOCAL, "sec-fetch-site": "cross-site" }],
  ])("is not told to anyone else: %s", (_, request) => {
    expect(wanted(request)).toBeUndefined();
  });
});
