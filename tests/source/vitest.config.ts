import { defineConfig } from "vitest/config";

/** Tests that only read the sources, for `npm run check`: they build nothing and start no browser or database. */
export default defineConfig({ test: { include: ["tests/source/**/*.test.ts", "tests/mutants/**/*.test.ts"] } });
