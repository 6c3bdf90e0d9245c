import { expect, it, vi } from "vitest";
import { databaseConfig } from "#lib/config.ts";
import { connectionOptions } from "#lib/db/connection-options.ts";
import type { ConfigError } from "#lib/environment/config-error.ts";

function faultOf(url: string): string {
  vi.stubEnv("DATABASE_URL", url);
  try {
    databaseConfig();
  } catch (error) {
    return (error as ConfigError).message;
  }
  return expect.fail("The URL was accepted.");
}

it.each([
  ["postgres://ada:secret@one,two/platen", "got several hosts"],
  ["postgres://ada:secret@one:5432,two:5432/platen", "got several hosts"],
  ["postgres://ada:secret@one/platen?host=one,two", "got several hosts"],
  ["postgres://ada:secret@one/platen?host=one&host=two", "got several hosts"],
  ["postgres://ada:secret@one:port/platen", "got 37 characters"],
  ["mysql://ada:secret@one/platen", "got an address of mysql:"],
  ["postgres://ada:secret@one/platen?sslmode=on", "got an sslmode that is none of disable, allow, prefer, require,"],
])("%s is refused with a reason, and not quoted", (url, fault) => {
  const message = faultOf(url);
  expect(message).toContain(fault);
  expect(message).toContain("want a URL such as postgres://user:password@host:5432/database");
  expect(message).not.toContain("secret");
});

it("a comma in a password or in another parameter is no second host", () => {
  const url = "postgres://ada:one,two@three/platen?search_path=one,two";
  vi.stubEnv("DATABASE_URL", url);
  expect(databaseConfig().url).toBe(url);
});

it("parameters of other clients are left out, and settings of PostgreSQL are kept", () => {
  vi.stubEnv(
    "DATABASE_URL",
    "postgres://one/platen?keepalives=1&search_path=own&connection_limit=5&sslsni=1&sslmode=allow",
  );
  expect(connectionOptions().url).toBe("postgres://one/platen?search_path=own&sslmode=prefer");
});

it.each([
  ["any", ""],
  ["prefer-standby", ""],
  ["read-write", "?target_session_attrs=primary"],
  ["primary", "?target_session_attrs=primary"],
])("target_session_attrs=%s reaches the server that libpq would take", (wanted, given) => {
  vi.stubEnv("DATABASE_URL", `postgres://one/platen?target_session_attrs=${wanted}`);
  expect(connectionOptions().url).toBe(`postgres://one/platen${given}`);
});

it("an IPv6 address is a host", () => {
  vi.stubEnv("DATABASE_URL", "postgres://[2001:db8::1]/platen");
  expect(connectionOptions().options).toMatchObject({ host: ["2001:db8::1"], port: [5432] });
  vi.stubEnv("DATABASE_URL", "postgres://[2001:db8::1]:6543/platen");
  expect(connectionOptions().options).toMatchObject({ host: ["2001:db8::1"], port: [6543] });
});

it.each([
  ["postgres://one/platen", { host: "one", port: undefined }],
  ["postgres://one:6543/platen", { host: "one", port: 6543 }],
  ["postgres://one/platen?host=/run/postgresql&port=6543", { host: "/run/postgresql", port: 6543 }],
  ["postgres://%2Frun%2Fpostgresql:6543/platen", { host: "/run/postgresql", port: 6543 }],
  ["postgres:///platen?host=two&port=6543", { host: "two", port: 6543 }],
  ["postgres://one/platen?host=2001:db8::1", { host: ["2001:db8::1"], port: [5432] }],
])("%s names its host and port", (url, options) => {
  vi.stubEnv("DATABASE_URL", url);
  expect(connectionOptions()).toMatchObject({ options, url: expect.not.stringContaining("port=") });
});

it.each(["", "&sslmode=require"])("with sslrootcert=system%s, the certificate of the server is verified", (mode) => {
  vi.stubEnv("DATABASE_URL", `postgres://one/platen?sslrootcert=system${mode}`);
  // An object leaves the driver no mode that would accept any certificate.
  expect(connectionOptions().options).toHaveProperty("ssl", {});
});
