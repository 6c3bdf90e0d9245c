import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    // They need the programs of a PostgreSQL: `npm run test:postgres`.
    exclude: ["tests/postgres/**"],
    globalSetup: ["tests/build.ts"],
    setupFiles: ["tests/setup.ts"],
    // Two cores, one browser: files side by side would only measure each other.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 180_000,
    env: { SERVICE_LOG_LEVEL: "silent" },
  },
});
