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
  ["postgres://ada:secret@one:5432,two:5432/platen", "got 46 characters"],
  ["mysql://ada:secret@one/platen", "got an address of mysql:"],
  ["postgres://ada:secret@one/platen?sslmode=on", "got an sslmode that is none of disable, allow, prefer, require,"],
])("%s is refused with a reason, and not quoted", (url, fault) => {
  const message = faultOf(url);
  expect(message).toContain(fault);
  expect(message).toContain("want a URL such as postgres://user:password@host:5432/database");
  expect(message).not.toContain("secret");
});

it("parameters of other clients are left out, and settings of PostgreSQL are kept", () => {
  vi.stubEnv(
    "DATABASE_URL",
    "postgres://one/platen?keepalives=1&search_path=own&connection_limit=5&sslsni=1&sslmode=allow",
  );
  expect(connectionOptions().url).toBe("postgres://one/platen?search_path=own&sslmode=prefer");
});
