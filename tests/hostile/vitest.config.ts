import { defineConfig } from "vitest/config";
import { usual } from "../../vitest.config.ts";

/** Attacks on a running server. `npm test` has the same guarantees case by case; these look for cases that nobody listed. */
export default defineConfig({
  test: { ...usual, include: ["tests/hostile/**/*.test.ts"] },
});
