import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BUILD_DIR } from "#lib/config.ts";
import { ownerState, ownerTag } from "#lib/processes.ts";

const LOCK_FILE = join(BUILD_DIR, "build.lock");
const POLL_MS = 250;

/** A lock says whose it is as soon as it exists. One that does not a second later was left by a crash. */
const UNREADABLE_MS = 1_000;

/** How often a holder shows that it lives, for those that cannot see its process. */
const MARK_INTERVAL_MS = 1_000;

/** How long a holder in another container may be silent: far longer than any step of a build keeps it from its timer. */
const SILENT_MS = 30_000;

/** Who holds the lock, by its owner tag, and how long ago it showed that it lives. */
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

/** Takes the lock of a dead process away. Renaming first makes one of several waiting processes the only one that does. */
function breakLock({ tag }: Holder): void {
  const grave = `${LOCK_FILE}.${process.pid}`;
  try {
    renameSync(LOCK_FILE, grave);
    // Somebody was faster and holds it by now. A link, unlike a rename, replaces nobody's lock.
    if (readFileSync(grave, "utf8") !== tag) linkSync(grave, LOCK_FILE);
  } catch {
    // Another process was faster.
  }
  rmSync(grave, { force: true });
}

async function acquire(onWait: (pid: number) => void): Promise<void> {
  mkdirSync(BUILD_DIR, { recursive: true });
  let told = false;
  while (!take()) {
    const holder = findHolder();
    const pid = holder && pidOf(holder.tag);
    if (holder && isAbandoned(holder)) breakLock(holder);
    else if (pid !== undefined && !told) {
      told = true;
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

/** Runs `act` in one process of this tree at a time; `onWait` is told once whom it waits for. */
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
