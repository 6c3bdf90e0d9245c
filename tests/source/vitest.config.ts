import { defineConfig } from "vitest/config";

/** Tests that only read the sources, for `npm run check`: they build nothing and start no browser or database. */
export default defineConfig({
  test: {
    include: ["tests/source/**/*.test.ts", "tests/mutants/**/*.test.ts"],
    // Generous: a test that passes on an idle machine must pass on a busy one.
    testTimeout: 180_000,
  },
});
