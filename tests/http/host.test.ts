import { afterEach, describe, expect, it, vi } from "vitest";
import { hostConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { requireOwnHost } from "#lib/http/identity/host.ts";

afterEach(() => vi.unstubAllEnvs());

/** Whether a request with these headers is answered, or the code of its refusal. */
function answerTo(headers: Record<string, string>): string {
  try {
    requireOwnHost({ headers: new Headers(headers), encrypted: false });
    return "answered";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const REFUSED = "misdirected_request";

describe("without any setting, a host", () => {
  it.each([
    "localhost",
    "localhost:3000",
    "LOCALHOST",
    "localhost.",
    "app.localhost",
    "127.0.0.1",
    "127.0.0.1:3000",
    "127.1",
    "10.0.0.7:8080",
    "203.0.113.9",
    "2130706433",
    "[::1]",
    "[::1]:3000",
    "[2001:db8::7]:80",
    "platen",
    "platen:3000",
    "platen.default.svc.cluster.local",
    "Printer.LOCAL",
    "platen.internal",
    "platen.test",
    "nas.lan:3000",
    "nas.home.arpa",
    "my_container:3000",
  ])("that no foreign site can have is answered: %s", (host) => {
    expect(answerTo({ host })).toBe("answered");
  });

  it.each([
    "evil.example",
    "EVIL.example:3000",
    "evil.example.",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "10-0-0-7.sslip.io",
    "rbndr.us",
    "xn--bcher-kva.example",
    "evillocal.com",
    "evil.locals",
    "evil.com.lan.example",
    "home.arpa.example",
    "7.0.0.10.in-addr.arpa",
    "1.2.3.4.5",
    "999.999.999.999",
    "",
    "a,b",
    "localhost, evil.example",
    "localhost@evil.example",
    "evil.example@localhost",
    "localhost/evil.example",
    "localhost:99999",
    "http://localhost",
    "[::1",
    "[evil.example]",
    "local host",
    "ünïcode.example",
  ])("that a foreign site can have, or that is none, is refused: %s", (host) => {
    expect(answerTo({ host })).toBe(REFUSED);
  });

  it("that is missing is answered, because no browser leaves it out", () => {
    expect(answerTo({})).toBe("answered");
  });

  it("is not taken from forwarding headers of an untrusted proxy", () => {
    expect(answerTo({ host: "localhost", "x-forwarded-host": "evil.example" })).toBe("answered");
    expect(answerTo({ host: "evil.example", "x-forwarded-host": "localhost" })).toBe(REFUSED);
  });
});

describe("a host of the configuration", () => {
  it.each([
    ["cards.example.com", "cards.example.com", "answered"],
    ["cards.example.com", "CARDS.example.com.:8443", "answered"],
    ["Cards.Example.com.", "cards.example.com", "answered"],
    ["a.example, b.example", "b.example", "answered"],
    ["bücher.example", "xn--bcher-kva.example", "answered"],
    ["cards.example.com", "sub.cards.example.com", REFUSED],
    ["cards.example.com", "cards.example.com.evil.example", REFUSED],
    ["*", "evil.example", "answered"],
  ])("is answered: SERVICE_HOSTS=%s, Host: %s", (hosts, host, answer) => {
    vi.stubEnv("SERVICE_HOSTS", hosts);
    expect(answerTo({ host })).toBe(answer);
  });

  it("may be that of SERVICE_PUBLIC_ORIGIN", () => {
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "https://cards.example.com:8443");
    expect(answerTo({ host: "cards.example.com" })).toBe("answered");
    expect(answerTo({ host: "cards.example.com:8443" })).toBe("answered");
    expect(answerTo({ host: "localhost" })).toBe("answered");
    expect(answerTo({ host: "evil.example" })).toBe(REFUSED);
  });

  it.each(["https://cards.example.com", "cards.example.com:80", "a b", "*.example.com", "a/b", "user@host"])(
    "is refused at start in another form: %s",
    async (hosts) => {
      vi.stubEnv("SERVICE_HOSTS", hosts);
      expect(hostConfig().names).toEqual([]);
      const { serverConfig } = await import("#lib/config.ts");
      expect(() => serverConfig()).toThrow(ConfigError);
      expect(() => serverConfig()).toThrow(/SERVICE_HOSTS.*want names such as/);
    },
  );
});

describe("behind a trusted proxy, the forwarded host", () => {
  it.each([
    [{ host: "platen:3000", "x-forwarded-host": "evil.example" }, REFUSED],
    [{ host: "platen:3000", "x-forwarded-host": "localhost:8080" }, "answered"],
    [{ host: "platen:3000", "x-forwarded-host": "localhost, evil.example" }, REFUSED],
    [{ host: "platen:3000", "x-forwarded-host": "cards.example.com" }, "answered"],
    [{ host: "platen:3000" }, "answered"],
    [{ host: "evil.example" }, REFUSED],
  ])("is the one that is checked: %j", (headers, answer) => {
    vi.stubEnv("SERVICE_TRUST_PROXY", "true");
    vi.stubEnv("SERVICE_HOSTS", "cards.example.com");
    expect(answerTo(headers as Record<string, string>)).toBe(answer);
  });
});

it("on Vercel every host is answered", () => {
  vi.stubEnv("VERCEL", "1");
  expect(answerTo({ host: "evil.example" })).toBe("answered");
});

it("the refusal names the variables, and not the host", () => {
  try {
    requireOwnHost({ headers: new Headers({ host: "evil.example" }), encrypted: false });
    expect.fail("not refused");
  } catch (error) {
    expect(error).toMatchObject({ code: "misdirected_request", status: 421 });
    expect((error as Error).message).toMatch(/SERVICE_HOSTS.*SERVICE_PUBLIC_ORIGIN/);
    expect((error as Error).message).not.toContain("evil");
  }
});
