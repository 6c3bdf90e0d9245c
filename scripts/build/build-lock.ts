import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BUILD_DIR } from "#lib/config.ts";
import { ownerState, ownerTag } from "#lib/processes.ts";

const LOCK_FILE = join(BUILD_DIR, "build.lock");
const POLL_MS = 250;

/** A lock names its holder as soon as it exists. One that still does not while it is watched for this time was left by a crash. */
const UNREADABLE_MS = 1_000;

/** How often a holder touches its lock, for waiting processes that cannot see it: those of another container. */
const MARK_INTERVAL_MS = 1_000;

/** When its lock is watched for this time without a touch, a holder of another container counts as dead. No step of a build blocks its timer for so long. */
const SILENT_MS = 30_000;

/** The holder's owner tag, and when it last touched the lock, by a clock that may have been set since. */
type Holder = { tag: string; touchedMs: number };

function take(): boolean {
  try {
    writeFileSync(LOCK_FILE, ownerTag(), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function findHolder(): Holder | undefined {
  try {
    return { tag: readFileSync(LOCK_FILE, "utf8"), touchedMs: statSync(LOCK_FILE).mtimeMs };
  } catch {
    return undefined;
  }
}

function pidOf(tag: string): number | undefined {
  return Number(/^\d+-(\d+)-\d+$/.exec(tag)?.[1]) || undefined;
}

/** Watches the lock of another process, and tells when its holder is dead. */
export class LockWatch {
  #seen: Holder | undefined;
  #seenSinceMs = 0;

  /** @param nowMs of a clock that nobody sets: the time of the file is only compared with itself */
  isAbandoned(holder: Holder, nowMs: number): boolean {
    if (holder.tag !== this.#seen?.tag || holder.touchedMs !== this.#seen.touchedMs) {
      this.#seen = holder;
      this.#seenSinceMs = nowMs;
    }
    const state = ownerState(holder.tag);
    if (state !== "unknown") return state === "dead";
    return nowMs - this.#seenSinceMs > (pidOf(holder.tag) === undefined ? UNREADABLE_MS : SILENT_MS);
  }
}

/** Removes the lock of a dead process. The rename succeeds for only one of several waiting processes. */
function breakLock({ tag }: Holder): void {
  const grave = `${LOCK_FILE}.${process.pid}`;
  try {
    renameSync(LOCK_FILE, grave);
    // Another process has broken the lock and taken it since. Put its lock back: a link, unlike a rename, cannot overwrite a newer one.
    if (readFileSync(grave, "utf8") !== tag) linkSync(grave, LOCK_FILE);
  } catch {
    // Another process broke the lock first.
  }
  rmSync(grave, { force: true });
}

async function acquire(onWait: (pid: number) => void): Promise<void> {
  mkdirSync(BUILD_DIR, { recursive: true });
  const watch = new LockWatch();
  let isReported = false;
  while (!take()) {
    const holder = findHolder();
    const pid = holder && pidOf(holder.tag);
    if (holder && watch.isAbandoned(holder, performance.now())) breakLock(holder);
    else if (pid !== undefined && !isReported) {
      isReported = true;
      onWait(pid);
    }
    await sleep(POLL_MS);
  }
}

function mark(): void {
  const now = new Date();
  utimes(LOCK_FILE, now, now, () => {});
}

function release(): void {
  if (findHolder()?.tag === ownerTag()) rmSync(LOCK_FILE, { force: true });
}

/** Runs `act` in one process of this tree at a time. `onWait` is called once, with the process that holds the lock. */
export async function withBuildLock(act: () => Promise<void>, onWait: (pid: number) => void): Promise<void> {
  await acquire(onWait);
  const marking = setInterval(mark, MARK_INTERVAL_MS);
  try {
    await act();
  } finally {
    clearInterval(marking);
    release();
  }
}
