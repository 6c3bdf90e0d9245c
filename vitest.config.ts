import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    // They need the programs of a PostgreSQL (`npm run test:postgres`), or the right to mount a disk (`npm run test:disk`).
    exclude: ["tests/postgres/**", "tests/disk/**"],
    globalSetup: ["tests/build.ts"],
    setupFiles: ["tests/setup.ts"],
    // Files wait more than they compute: three at a time on any machine, each with a browser and a database of its own.
    maxWorkers: 3,
    // What does not hang ends within these wherever it runs, and beside whatever else.
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 180_000,
    // One browser and no cache, so that what a full queue does can be told exactly. Tests of more say so.
    env: { SERVICE_LOG_LEVEL: "silent", SERVICE_RENDER_WORKERS: "1", SERVICE_RENDER_CACHE_MB: "0" },
  },
});
