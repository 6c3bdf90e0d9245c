import { defineConfig } from "vitest/config";
import { usual } from "../../vitest.config.ts";

/**
 * Floods of logins on a running server. They have the machine to themselves: a query has 1.8 s, which it may need beside other
 * tests without any fault of the server.
 */
export default defineConfig({
  test: {
    ...usual,
    include: ["tests/floods/**/*.test.ts"],
    maxWorkers: 1,
  },
});
