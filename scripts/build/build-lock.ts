import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BUILD_DIR } from "#lib/config.ts";
import { ownerState, ownerTag } from "#lib/processes.ts";

const LOCK_FILE = join(BUILD_DIR, "build.lock");
const POLL_MS = 250;

/** A lock names its holder as soon as it exists. One that still does not after this time was left by a crash. */
const UNREADABLE_MS = 1_000;

/** How often a holder touches its lock, for waiting processes that cannot see it: those of another container. */
const MARK_INTERVAL_MS = 1_000;

/** After this time without a touch, a holder of another container counts as dead. No step of a build blocks its timer for so long. */
const SILENT_MS = 30_000;

/** The holder's owner tag, and the time since it last touched the lock. */
type Holder = { tag: string; silentMs: number };

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
    return { tag: readFileSync(LOCK_FILE, "utf8"), silentMs: Date.now() - statSync(LOCK_FILE).mtimeMs };
  } catch {
    return undefined;
  }
}

function pidOf(tag: string): number | undefined {
  return Number(/^\d+-(\d+)-\d+$/.exec(tag)?.[1]) || undefined;
}

function isAbandoned({ tag, silentMs }: Holder): boolean {
  const state = ownerState(tag);
  if (state !== "unknown") return state === "dead";
  return silentMs > (pidOf(tag) === undefined ? UNREADABLE_MS : SILENT_MS);
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
  let isReported = false;
  while (!take()) {
    const holder = findHolder();
    const pid = holder && pidOf(holder.tag);
    if (holder && isAbandoned(holder)) breakLock(holder);
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
