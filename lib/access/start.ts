import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import { HOUSEKEEPING_INTERVAL_MS, START_RETRY_MS } from "./access-limits.ts";
import { bootstrapAdministrator } from "./bootstrap.ts";
import { keepHouse } from "./housekeeping.ts";
import { stopUsage } from "./usage.ts";

type Running = {
  stopping: AbortController;
  /** What is being done now. */
  work: Promise<void>;
  /** Settles when the database has answered, and the first administrator is there. */
  begun: Promise<void>;
};

const access = processState("access", (): { running: Running | undefined } => ({ running: undefined }));

/** Waits, unless the process has nothing else to do. @throws the signal's reason */
const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false });

/** Does `work` now, and again until it works. A spell of failures is logged once. */
async function untilItWorks(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      await work();
      if (failures > 0) log().info({ failures }, "The database answers, and the access layer is ready.");
      return;
    } catch (error) {
      if (failures === 0) log().error({ err: error }, "The access layer waits for its database.");
    }
    await pause(START_RETRY_MS, signal);
  }
}

async function run(begun: Promise<void>, signal: AbortSignal): Promise<void> {
  await begun;
  while (!signal.aborted) {
    await keepHouse().catch((error: unknown) => log().warn({ err: error }, "What has expired was not deleted."));
    await pause(HOUSEKEEPING_INTERVAL_MS, signal);
  }
}

/**
 * Begins in the background what the access layer needs: the first administrator, and every hour the deletion of what has
 * expired. Only one per process, however often it is called.
 */
export function startAccess(): void {
  if (access.get().running) return;
  const stopping = new AbortController();
  const begun = untilItWorks(bootstrapAdministrator, stopping.signal);
  // Either only ever throws because it was stopped.
  access.get().running = {
    stopping,
    begun: begun.catch(() => undefined),
    work: run(begun, stopping.signal).catch(() => undefined),
  };
}

/** Resolves once whoever is in the database, or should be, can sign in: at once where nothing was started. Never throws. */
export async function accessBegun(): Promise<void> {
  await access.get().running?.begun;
}

/** Stops that, and writes what was counted and not written yet. Never throws. */
export async function stopAccess(): Promise<void> {
  const running = access.get().running;
  access.get().running = undefined;
  running?.stopping.abort();
  await running?.work;
  await stopUsage();
}
