import { defineConfig } from "vitest/config";
import usual from "../../vitest.config.ts";

/** What touches a database, on a PostgreSQL of this machine; `npm test` has run it on the embedded one. */
export default defineConfig({
  test: {
    ...usual.test,
    include: [
      "tests/access/**/*.test.ts",
      "tests/app/**/*.test.ts",
      "tests/db/**/*.test.ts",
      "tests/postgres/**/*.test.ts",
    ],
    exclude: [],
    globalSetup: ["tests/postgres/global-postgres.ts", "tests/build.ts"],
  },
});
