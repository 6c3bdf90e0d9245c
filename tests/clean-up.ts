const acts: (() => unknown)[] = [];

/**
 * Runs `act` after the running test. Files may share a process: a hook that a module registers when it is loaded would run for the
 * first of them only.
 */
export function afterTest(act: () => unknown): void {
  acts.push(act);
}

/** Runs what {@link afterTest} got, the last first. The set-up of every test file calls it after each test. */
export async function cleanUp(): Promise<void> {
  while (acts.length > 0) await acts.pop()?.();
}
