import { describe, expect, it } from "vitest";
import { originFault, targetOrigin } from "#lib/http/identity/origin.ts";

type Head = Record<string, string>;
type Setting = { publicOrigin?: string; trustProxy?: boolean; encrypted?: boolean };

/** Sent by the pages of a service at http://app.example:3000, without a proxy. */
const OWN: Head = { host: "app.example:3000", origin: "http://app.example:3000" };

function faultOf(head: Head, { publicOrigin, trustProxy = false, encrypted = false }: Setting = {}) {
  return originFault({ headers: new Headers(head), encrypted }, { publicOrigin, trustProxy });
}

const accepted = (head: Head, setting?: Setting) => expect(faultOf(head, setting)).toBeUndefined();
const refused = (head: Head, setting?: Setting) => expect(faultOf(head, setting)).toEqual(expect.any(String));

describe("the origin of a request", () => {
  it.each<[string, Head, Setting?]>([
    ["the host that it was sent to", OWN],
    ["a host without a port", { host: "app.example", origin: "http://app.example" }],
    ["a host with the port that its scheme has anyway", { host: "app.example:80", origin: "http://app.example" }],
    ["a host with the largest port", { host: "app.example:65535", origin: "http://app.example:65535" }],
    ["a host in other letters", { host: "App.Example:3000", origin: "http://app.example:3000" }],
    ["an IPv4 address", { host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" }],
    ["an IPv6 address", { host: "[::1]:3000", origin: "http://[::1]:3000" }],
    ["a host with a trailing dot", { host: "app.example.", origin: "http://app.example." }],
    ["an encrypted connection", { host: "app.example", origin: "https://app.example" }, { encrypted: true }],
    ["same-origin, as browsers add", { ...OWN, "sec-fetch-site": "same-origin" }],
    ["none, as browsers add", { ...OWN, "sec-fetch-site": "none" }],
  ])("may be %s", (_name, head, setting) => accepted(head, setting));

  it.each([
    "",
    "null",
    "http://app.example",
    "http://app.example:3001",
    "https://app.example:3000",
    "http://sub.app.example:3000",
    "http://example:3000",
    "http://app.example.evil.example:3000",
    "http://evil-app.example:3000",
    "http://app.example.:3000",
    "http://app.example:3000@evil.example",
    "http://user@app.example:3000",
    "http://app.example:3000/",
    "http://app.example:3000?",
    "http://app.example:3000, http://app.example:3000",
    "http://app.example:3000 http://evil.example",
    "http://app.example:03000000",
    "http://app.example:99999",
    "//app.example:3000",
    "app.example:3000",
    "file://",
    "ftp://app.example:3000",
    "http://[app.example]:3000",
    "http://",
  ])("may not be %j", (origin) => refused({ ...OWN, origin }));

  it("may not be missing", () => refused({ host: "app.example:3000" }));

  it.each(["cross-site", "same-site", "", "same-origin, cross-site", "SAME-ORIGIN", "x"])(
    "is not believed when the browser says %j",
    (site) => refused({ ...OWN, "sec-fetch-site": site }),
  );

  it.each(["", "a b", "user@app.example:3000", "app.example:3000, app.example:3000", "[::g]", "app.example:3000/x"])(
    "is not believed where the host is %j",
    (host) => refused({ ...OWN, host }),
  );

  it("is not believed where the host is an address with a zone", () =>
    refused({ host: "[fe80::1%eth0]:3000", origin: "http://[fe80::1%eth0]:3000" }));

  it("is not believed where there is no host", () => refused({ origin: "http://app.example:3000" }));
});

const EVIL: Head = { host: "app.example:3000", origin: "http://evil.example" };

describe("forwarding headers without a trusted proxy", () => {
  it.each<Head>([
    { "x-forwarded-host": "app.example:3000" },
    { "x-forwarded-proto": "http" },
    { "x-forwarded-host": "APP.example:3000", "x-forwarded-proto": "HTTP" },
    { forwarded: "for=192.0.2.1;host=app.example:3000;proto=http" },
    { forwarded: 'for="[2001:db8::1]"; host="app.example:3000"; by=_me' },
    { forwarded: "for=192.0.2.1" },
  ])("that agree change nothing: %j", (headers) => {
    accepted({ ...OWN, ...headers });
    refused({ ...EVIL, ...headers });
  });

  it.each<Head>([
    { "x-forwarded-host": "evil.example" },
    { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
    { "x-forwarded-proto": "https" },
    { "x-forwarded-host": "app.example" },
    { "x-forwarded-host": "app.example:3000, evil.example" },
    { "x-forwarded-host": "" },
    { "x-forwarded-proto": "http,http" },
    { forwarded: "host=evil.example" },
    { forwarded: "host=app.example:3000;proto=https" },
    { forwarded: "host=app.example:3000, host=app.example:3000" },
    { forwarded: "host=app.example:3000;host=app.example:3000" },
    { forwarded: "" },
    { forwarded: "app.example:3000" },
    { forwarded: 'host="app.example:3000' },
  ])("that name another place refuse both origins: %j", (headers) => {
    refused({ ...OWN, ...headers });
    refused({ ...EVIL, ...headers });
  });
});

describe("a trusted proxy", () => {
  const setting = { trustProxy: true };
  /** As it asks the service inside for what it was asked at https://app.example. */
  const inside: Head = { host: "inside:3000", origin: "https://app.example" };
  const pair: Head = { "x-forwarded-host": "app.example", "x-forwarded-proto": "https" };

  it("names the place, once", () => {
    accepted({ ...inside, ...pair }, setting);
    accepted({ ...inside, ...pair, "x-forwarded-host": "app.example:443" }, setting);
    accepted({ ...inside, ...pair, forwarded: "host=app.example;proto=https;for=192.0.2.1" }, setting);
  });

  it("does not make the host inside an origin, nor an attacker's", () => {
    refused({ ...inside, ...pair, origin: "http://inside:3000" }, setting);
    refused({ ...inside, ...pair, origin: "https://evil.example" }, setting);
    refused({ ...inside, ...pair, origin: "http://app.example" }, setting);
  });

  it.each<Head>([
    {},
    { "x-forwarded-host": "app.example" },
    { "x-forwarded-proto": "https" },
    { forwarded: "host=app.example;proto=https" },
    { ...pair, "x-forwarded-host": "app.example, app.example" },
    { ...pair, "x-forwarded-host": "evil.example, app.example" },
    { ...pair, "x-forwarded-host": "user@app.example" },
    { ...pair, "x-forwarded-host": "app.example/" },
    { ...pair, "x-forwarded-host": "https://app.example" },
    { ...pair, "x-forwarded-proto": "https, http" },
    { ...pair, "x-forwarded-proto": "wss" },
    { ...pair, "x-forwarded-proto": "" },
    { ...pair, forwarded: "host=evil.example" },
    { ...pair, forwarded: "proto=http" },
    { ...pair, forwarded: "host=app.example, host=app.example" },
    { ...pair, forwarded: "garbage" },
  ])("is not believed with %j", (headers) => refused({ ...inside, ...headers }, setting));
});

describe("a configured origin", () => {
  const setting = { publicOrigin: "https://app.example" };
  const inside: Head = { host: "inside:3000", origin: "https://app.example" };

  it.each([false, true])("is the only one, whatever the host, proxy trusted: %s", (trustProxy) => {
    accepted(inside, { ...setting, trustProxy });
    accepted({ ...inside, host: "app.example" }, { ...setting, trustProxy });
    refused({ ...OWN }, { ...setting, trustProxy });
    refused({ ...inside, origin: "http://app.example" }, { ...setting, trustProxy });
    refused({ ...inside, origin: "https://app.example:3000" }, { ...setting, trustProxy });
  });

  it("stands beside forwarding headers of that host or the one inside, and beside no others", () => {
    accepted({ ...inside, "x-forwarded-host": "app.example", "x-forwarded-proto": "https" }, setting);
    accepted({ ...inside, "x-forwarded-host": "inside:3000", "x-forwarded-proto": "https" }, setting);
    accepted({ ...inside, "x-forwarded-proto": "http" }, setting);
    accepted({ ...inside, forwarded: "host=app.example;proto=https" }, setting);
    refused({ ...inside, "x-forwarded-host": "evil.example" }, setting);
    refused({ ...inside, "x-forwarded-host": "app.example, evil.example" }, setting);
    refused({ ...inside, "x-forwarded-proto": "https, http" }, setting);
    refused({ ...inside, forwarded: "host=evil.example" }, setting);
  });

  it("does not override Sec-Fetch-Site", () => {
    refused({ ...inside, "sec-fetch-site": "cross-site" }, setting);
  });
});

describe("the reason", () => {
  it("says what was got and what is wanted, and is short", () => {
    expect(faultOf({ ...OWN, origin: "http://evil.example" })).toBe(
      'Origin is "http://evil.example", want http://app.example:3000',
    );
    expect(faultOf({ host: "app.example:80", origin: "http://evil.example" })).toBe(
      'Origin is "http://evil.example", want http://app.example',
    );
    expect(faultOf({ ...OWN, "x-forwarded-proto": "https" })).toBe(
      'X-Forwarded-* says host missing and protocol "https", want http://app.example:3000',
    );
    expect(faultOf(OWN, { trustProxy: true })).toMatch(/X-Forwarded-Host is missing.*SERVICE_TRUST_PROXY/);
    expect(faultOf({ ...OWN, origin: `http://${"x".repeat(9_000)}` })?.length).toBeLessThan(300);
  });
});

describe("the reason that a page shows for an unknown origin", () => {
  it.each<[string, Head, Setting]>([
    ["Host is missing or invalid", { host: "a b" }, {}],
    ["X-Forwarded-Host disagrees with Host and the connection", { "x-forwarded-host": "evil.example" }, {}],
    ["X-Forwarded-Proto disagrees with Host and the connection", { "x-forwarded-proto": "https" }, {}],
    ["Forwarded disagrees with Host and the connection", { forwarded: "host=evil.example" }, {}],
    ["Forwarded is not one element", { forwarded: "host=evil.example, host=evil.example" }, {}],
    ["X-Forwarded-Host is missing, and SERVICE_TRUST_PROXY trusts a proxy", {}, { trustProxy: true }],
    [
      "X-Forwarded-Proto is missing, and SERVICE_TRUST_PROXY trusts a proxy",
      { "x-forwarded-host": "evil.example" },
      { trustProxy: true },
    ],
    [
      "X-Forwarded-Proto is neither http nor https, and SERVICE_TRUST_PROXY trusts a proxy",
      { "x-forwarded-host": "evil.example", "x-forwarded-proto": "evil" },
      { trustProxy: true },
    ],
    [
      "X-Forwarded-Host is not one host, and SERVICE_TRUST_PROXY trusts a proxy",
      { "x-forwarded-host": "evil.example, evil.example", "x-forwarded-proto": "https" },
      { trustProxy: true },
    ],
    [
      "Forwarded disagrees with X-Forwarded-Host and X-Forwarded-Proto",
      { "x-forwarded-host": "app.example", "x-forwarded-proto": "https", forwarded: "host=evil.example" },
      { trustProxy: true },
    ],
    [
      "X-Forwarded-Host disagrees with SERVICE_PUBLIC_ORIGIN and Host",
      { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
      { publicOrigin: "https://app.example" },
    ],
  ])("is %j, without the value of the header", (fault, head, { publicOrigin, trustProxy = false }) => {
    const received = { headers: new Headers({ ...OWN, ...head }), encrypted: false };
    expect(targetOrigin(received, { publicOrigin, trustProxy })).toEqual({ fault });
  });
});
