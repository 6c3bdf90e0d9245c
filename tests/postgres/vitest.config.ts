import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import usual from "../../vitest.config.ts";

/** The tests that ask a database anything. The others have nothing to gain by another one. */
function asksDatabase(file: string): boolean {
  return /\b(?:useDatabase|createOwnDatabase)\(/.test(readFileSync(file, "utf8"));
}

/** What touches a database, on a PostgreSQL of this machine; `npm test` has run it on the embedded one. */
export default defineConfig({
  test: {
    ...usual.test,
    include: [...globSync("tests/**/*.test.ts").filter(asksDatabase), "tests/postgres/**/*.test.ts"],
    exclude: [],
    globalSetup: ["tests/postgres/global-postgres.ts", "tests/global-setup.ts"],
  },
});
