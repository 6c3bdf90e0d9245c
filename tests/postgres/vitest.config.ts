import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { eachRun, projectsOf } from "../../vitest.config.ts";

/**
 * Tests of what routes make of a request: shapes, roles, cookies, messages. Their statements are those of `tests/access` and of
 * the other files in `tests/app`, so a second database would show nothing new.
 */
const ROUTES_ALONE =
  /^tests\/app\/(?:access\/(?:access-bodies|access-table|any-access-request|passwords|roles|session|sign-in)|render\/render-credentials|status\/status-access|log-lines)\.test\.ts$/;

/** Thousands of logins, one after the other. Their statements are those of `attempts.test.ts` and `login-flood.test.ts`. */
const SIMULATED_ATTACKS = /^tests\/access\/login-limits\.test\.ts$/;

/** Whether a test file uses a database, and another database may give another result. */
function asksDatabase(file: string): boolean {
  return (
    !ROUTES_ALONE.test(file) &&
    !SIMULATED_ATTACKS.test(file) &&
    /\b(?:useDatabase|createOwnDatabase)\(/.test(readFileSync(file, "utf8"))
  );
}

/** The tests whose result may depend on the database, on a PostgreSQL of this machine. `npm test` runs them on the embedded one. */
export default defineConfig({
  test: {
    ...eachRun,
    projects: projectsOf([
      ...globSync("tests/**/*.test.ts", { exclude: ["tests/clients/**", "tests/postgres/**"] }).filter(asksDatabase),
      ...globSync("tests/postgres/**/*.test.ts"),
    ]),
    globalSetup: ["tests/watch-run.ts", "tests/postgres/global-postgres.ts", "tests/global-setup.ts"],
  },
});
