import { resolve } from "node:path";
import { createVitest } from "vitest/node";

/** Test files to run, after these files have changed. Paths are relative to the working directory. */
export type Order = { tests: string[]; changed: string[] };

/** Whether all tests passed, and what the others reported. */
export type Outcome = { passed: boolean; problems: string[] };

/** Many faults make a test wait for ever. */
const TEST_TIMEOUT_MS = 60_000;

/** As much of a message as is reported, in characters. */
const MESSAGE_CHARS = 300;

// As Vitest's command line does. Otherwise Vite chooses development, in which no picture has a key.
Object.assign(process.env, { NODE_ENV: "test" });

/**
 * A program that runs the tests of one fault after another, as orders over IPC. Its Vitest keeps compiled modules and the
 * databases, which takes a tenth of the time of a Vitest for each fault. After a failed test, no other file begins.
 */
const vitest = await createVitest("test", {
  watch: false,
  bail: 1,
  maxWorkers: 1,
  testTimeout: TEST_TIMEOUT_MS,
  reporters: [{}],
});

async function run({ tests, changed }: Order): Promise<Outcome> {
  for (const file of changed) vitest.invalidateFile(resolve(file));
  const found = await Promise.all(tests.map((test) => vitest.globTestSpecifications([test])));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(found.flat());
  const failed = testModules.filter((module) => !module.ok());
  const errors = [
    ...failed.flatMap((module) => module.errors()),
    ...failed.flatMap((module) =>
      [...module.children.allTests("failed")].flatMap((test) => test.result().errors ?? []),
    ),
    ...(unhandledErrors as Error[]),
  ];
  const problems = errors.map(({ message }) => message.slice(0, MESSAGE_CHARS));
  return { passed: failed.length === 0 && unhandledErrors.length === 0, problems };
}

process.on("message", (order: Order) => {
  void run(order).then((outcome) => process.send?.(outcome));
});
process.on("disconnect", () => void vitest.close().finally(() => process.exit()));
