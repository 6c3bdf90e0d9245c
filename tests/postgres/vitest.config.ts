import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import usual from "../../vitest.config.ts";

/** Whether a test file uses a database. */
function asksDatabase(file: string): boolean {
  return /\b(?:useDatabase|createOwnDatabase)\(/.test(readFileSync(file, "utf8"));
}

/** Runs every test that uses a database on a PostgreSQL of this machine. `npm test` runs them on the embedded one. */
export default defineConfig({
  test: {
    ...usual.test,
    include: [...globSync("tests/**/*.test.ts").filter(asksDatabase), "tests/postgres/**/*.test.ts"],
    exclude: [],
    globalSetup: ["tests/postgres/global-postgres.ts", "tests/build.ts"],
  },
});
