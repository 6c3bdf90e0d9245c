import { globSync, readFileSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration, type TestUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const isSlow = ({ moduleId }: TestSpecification) =>
  /\/tests\/(?:e2e|scripts|db|golden|postgres|proof|type\/contrast|type\/fit)\//.test(moduleId);

/**
 * Files that start services or draw many pictures take longest. They run first, so that no worker is left with one at the end.
 * Files that share a process follow those that do not, because a process is only kept for the next file in the list.
 */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification) => (file.project.config.isolate ? 0 : 2) + (isSlow(file) ? 0 : 1);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** What every test file has, also those of `tests/postgres` and the other folders with a configuration of their own. */
const eachFile = {
  setupFiles: ["tests/setup.ts"],
  // As `npm start` has it. To optimize the embedded database's code takes longer than all that a file asks of it.
  execArgv: ["--liftoff-only"],
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
} satisfies TestUserConfig;

/** The settings of a run that are not those of a file. */
export const eachRun = {
  globalSetup: ["tests/watch-run.ts", "tests/global-setup.ts"],
  // Files wait more than they compute, so the number does not depend on the cores. Each has a browser and a database of its own.
  maxWorkers: 3,
  sequence: { sequencer: SlowFilesFirst },
} satisfies TestUserConfig;

/** The settings of a run of the files in one folder. */
export const usual = { ...eachFile, ...eachRun } satisfies TestUserConfig;

/**
 * These install packages of their own (`npm run test:clients`), need PostgreSQL's programs (`npm run test:postgres`), the right to
 * mount a disk (`npm run test:disk`), tools for containers (`npm run test:image`), a WebKit (`npm run test:webkit`) or the machine
 * to themselves (`npm run test:floods`), run copies of a built tree's files (`npm run test:vercel`), or look for unlisted cases with
 * thousands of requests (`npm run test:hostile`).
 */
const OTHER_RUNS = [
  "tests/clients/**",
  "tests/postgres/**",
  "tests/disk/**",
  "tests/hostile/**",
  "tests/floods/**",
  "tests/image/**",
  "tests/vercel/**",
  "tests/webkit/**",
];

/**
 * What a file does that replaces or resets modules, stops the clocks of its process, or loads a program, which may change Node itself.
 * `tests/e2e` starts services, and needs no modules.
 */
const NEEDS_OWN_PROCESS = /^tests\/e2e\/|\bvi\.(?:mock|unmock|resetModules|useFakeTimers)\b|^import "#scripts\//m;

const needsOwnProcess = (file: string) => NEEDS_OWN_PROCESS.test(`${file}\n${readFileSync(file, "utf8")}`);

/** The files of a run, in projects: those that need a process of their own, and those that share one with others. */
export function projectsOf(files: string[]): TestProjectInlineConfiguration[] {
  const { own = [], shared = [] } = Object.groupBy(files, (file) => (needsOwnProcess(file) ? "own" : "shared"));
  return [
    { test: { ...eachFile, name: "own process", include: own } },
    // To evaluate the modules again for each file takes more time than most tests.
    { test: { ...eachFile, name: "shared process", include: shared, isolate: false } },
  ];
}

export default defineConfig({
  test: { ...eachRun, projects: projectsOf(globSync("tests/**/*.test.ts", { exclude: OTHER_RUNS })) },
});
