import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that start services or draw many pictures take longest. They run first, so that no worker is left with one at the end. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { slow = [], quick = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      /\/tests\/(?:e2e|scripts|db|golden|proof|type\/contrast|type\/fit)\//.test(moduleId) ? "slow" : "quick",
    );
    return [...slow, ...quick];
  }
}

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    // These need PostgreSQL's programs (`npm run test:postgres`), the right to mount a disk (`npm run test:disk`) or the machine to
    // themselves (`npm run test:floods`), or look for unlisted cases with thousands of requests (`npm run test:hostile`).
    exclude: ["tests/postgres/**", "tests/disk/**", "tests/hostile/**", "tests/floods/**"],
    globalSetup: ["tests/watch-run.ts", "tests/global-setup.ts"],
    setupFiles: ["tests/setup.ts"],
    // Files wait more than they compute, so the number does not depend on the cores. Each has a browser and a database of its own.
    maxWorkers: 3,
    sequence: { sequencer: SlowFilesFirst },
    // Generous: a test that passes on an idle machine must pass on a busy one.
    testTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 300_000,
    // With one browser and no cache the state of a full queue is exact, and most tests look at pixels, not at how well they are
    // compressed, which takes a third of the time of a picture. Tests that need more set it themselves.
    env: {
      SERVICE_LOG_LEVEL: "silent",
      SERVICE_RENDER_WORKERS: "1",
      SERVICE_RENDER_CACHE_MB: "0",
      SERVICE_RENDER_PNG: "fast",
    },
  },
});
