import { setTimeout as sleep } from "node:timers/promises";
import { abortable } from "#lib/abortable.ts";
import { buildIndexes } from "#lib/db/build-indexes.ts";
import { databaseOutage, migrated } from "#lib/db/database.ts";
import { sanitizeError } from "#lib/db/database-faults.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import { CLEANUP_INTERVAL_MS, CLEANUP_RETRY_MS, INDEX_RETRY_MS, START_RETRY_MS } from "./access-limits.ts";
import { deleteExpired } from "./delete-expired.ts";
import { createFirstAdministrator } from "./first-administrator.ts";
import { stopUsage } from "./usage.ts";

type Running = {
  stopping: AbortController;
  /** The background work. Settles when it has stopped. */
  work: Promise<unknown>;
  /** Settles when the database has answered, or two attempts to reach it have failed. */
  attempted: Promise<void>;
  /** Settles when the database has answered and the first administrator exists. */
  begun: Promise<void>;
  /** Whether `begun` has settled. */
  hasBegun: boolean;
};

const access = processState("access", (): { running: Running | undefined } => ({ running: undefined }));

/** Waits without keeping the process alive. @throws the signal's reason */
const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false });

/** Brings the tables to this version, which may take longer than a query may, and creates the first administrator. */
async function begin(): Promise<void> {
  await migrated();
  await createFirstAdministrator();
}

/**
 * Attempts after which the database counts as away, and the server listens without it. A first one may time out because the start
 * keeps the machine busy.
 */
const AWAITED_ATTEMPTS = 2;

/** What is known about a failed attempt. Only an unexpected error needs its stack. */
function detailsOf(error: unknown): object {
  if (error instanceof ConfigError)
    return { reason: error.faults.map(({ variable, message }) => `${variable}: ${message}`).join("; ") };
  return (error instanceof AppError && databaseOutage()) || { err: error };
}

/**
 * Begins, and repeats that until it succeeds.
 * @param giveUp called once, when {@link AWAITED_ATTEMPTS} have failed, which is also logged
 * @throws the signal's reason
 */
async function beginAtLast(signal: AbortSignal, giveUp: () => void): Promise<void> {
  for (let failures = 0; ; failures++) {
    if (failures > 0) await pause(START_RETRY_MS, signal);
    try {
      await abortable(begin(), signal);
      if (failures >= AWAITED_ATTEMPTS)
        log().info({ failures }, "The database answers, and the access layer is ready.");
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (failures + 1 !== AWAITED_ATTEMPTS) continue;
      log().error(detailsOf(error), "Nobody can sign in: the access layer waits for its database.");
      giveUp();
    }
  }
}

/** Builds indexes that the database lacks, while requests are served. */
async function buildMissingIndexes(begun: Promise<void>, signal: AbortSignal): Promise<void> {
  await begun;
  for (;;) {
    try {
      return await buildIndexes(signal);
    } catch (error) {
      signal.throwIfAborted();
      log().warn({ err: sanitizeError(error) }, "Indexes cannot be built at the moment. It is tried again later.");
    }
    await pause(INDEX_RETRY_MS, signal);
  }
}

async function cleanUpHourly(begun: Promise<void>, signal: AbortSignal): Promise<void> {
  await begun;
  while (!signal.aborted) {
    let next = CLEANUP_INTERVAL_MS;
    await deleteExpired(signal).catch((error: unknown) => {
      signal.throwIfAborted();
      next = CLEANUP_RETRY_MS;
      log().warn({ err: error }, "Expired rows could not be deleted, or the audit trail not be sealed.");
    });
    await pause(next, signal);
  }
}

/**
 * Starts the background work of the access layer: the first administrator, and every hour the deletion of expired rows and the seals
 * of the audit trail. Further calls in the same process do nothing.
 */
export function startAccess(): void {
  if (access.get().running) return;
  const stopping = new AbortController();
  const attempted = Promise.withResolvers<void>();
  const begun = beginAtLast(stopping.signal, attempted.resolve);
  const running: Running = {
    stopping,
    attempted: attempted.promise,
    // It rejects only when it is stopped.
    begun: begun.catch(() => undefined),
    work: Promise.allSettled([cleanUpHourly(begun, stopping.signal), buildMissingIndexes(begun, stopping.signal)]),
    hasBegun: false,
  };
  void running.begun.then(() => {
    running.hasBegun = true;
    attempted.resolve();
  });
  access.get().running = running;
}

/** Resolves when users can sign in. Resolves at once when {@link startAccess} was not called. Never throws. */
export async function accessBegun(): Promise<void> {
  await access.get().running?.begun;
}

/** Resolves when users can sign in, or the database did not answer at two attempts. Never throws. */
export async function accessAttempted(): Promise<void> {
  await access.get().running?.attempted;
}

/** False from {@link startAccess} until users can sign in. */
export function hasAccessBegun(): boolean {
  return access.get().running?.hasBegun ?? true;
}

/** Stops the background work, and writes the renders counted so far. Never throws. */
export async function stopAccess(): Promise<void> {
  const running = access.get().running;
  access.get().running = undefined;
  running?.stopping.abort();
  await running?.work;
  await stopUsage();
}
