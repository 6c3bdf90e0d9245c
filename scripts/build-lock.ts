import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BUILD_DIR } from "#lib/config.ts";

const LOCK_FILE = join(BUILD_DIR, "build.lock");
const POLL_MS = 250;

function take(): boolean {
  try {
    writeFileSync(LOCK_FILE, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function holder(): number | undefined {
  try {
    return Number(readFileSync(LOCK_FILE, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Takes the lock of a dead process away. Renaming first makes one of several waiting processes the only one that does. */
function breakLock(pid: number): void {
  const grave = `${LOCK_FILE}.${process.pid}`;
  try {
    renameSync(LOCK_FILE, grave);
    if (Number(readFileSync(grave, "utf8")) !== pid) renameSync(grave, LOCK_FILE);
    rmSync(grave, { force: true });
  } catch {
    // Another process was faster.
  }
}

/** Runs `act` in one process of this tree at a time; `onWait` is told once whom it waits for. */
export async function withBuildLock(act: () => Promise<void>, onWait: (pid: number) => void): Promise<void> {
  mkdirSync(BUILD_DIR, { recursive: true });
  let told = false;
  while (!take()) {
    const pid = holder();
    if (pid !== undefined && !isAlive(pid)) breakLock(pid);
    else if (pid !== undefined && !told) {
      told = true;
      onWait(pid);
    }
    await sleep(POLL_MS);
  }
  try {
    await act();
  } finally {
    rmSync(LOCK_FILE, { force: true });
  }
}
