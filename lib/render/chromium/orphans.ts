import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { makePrivateFolder } from "#lib/private-folder.ts";
import { processState } from "#lib/process-state.ts";
import { identityOf, isAlive, killGroup, ownerState, ownerTag } from "#lib/processes.ts";
import { FOREIGN_LEFTOVER_AGE_MS, FOREIGN_WATCH_MS, WORKER_MARK_INTERVAL_MS } from "#lib/render/render-limits.ts";

/** Data folders that this process has swept. */
const swept = processState("swept-data-folders", () => new Set<string>());

const BROWSER_RECORD = "browser.json";
const browserRecord = z.object({ pid: z.int().positive(), start: z.string() });

function workersDir(dataDir: string): string {
  return join(/* turbopackIgnore: true */ dataDir, "workers");
}

/** Makes the private folder of one browser. Its name says which process owns it, so that a later start can find leftovers. */
export async function claimWorkerDir(dataDir: string): Promise<string> {
  const dir = join(/* turbopackIgnore: true */ workersDir(dataDir), `${ownerTag()}.${randomBytes(6).toString("hex")}`);
  await makePrivateFolder(workersDir(dataDir));
  // Not `recursive`: on a read-only disk that fails with ENOENT, which hides the reason.
  await mkdir(dir, { mode: 0o700 });
  return dir;
}

/** Records the browser's process in its folder. Synchronous, so that the browser never runs unrecorded. @throws the system's error */
export function recordBrowser(dir: string, pid: number): void {
  const identity = identityOf(pid);
  if (identity) writeFileSync(join(dir, BROWSER_RECORD), JSON.stringify(identity), { mode: 0o600 });
}

/** Refreshes the folder's time of change, for containers that share the data folder and cannot see each other's processes. */
export function keepMarked(dir: string): { stop(): void } {
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(dir, now, now).catch(() => undefined);
  }, WORKER_MARK_INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** True when the owner of a file, named by the `tag` in the file's name, has ended. */
export async function isLeftover(path: string, tag: string): Promise<boolean> {
  const state = ownerState(tag);
  if (state !== "unknown") return state === "dead";
  const { mtimeMs } = await stat(path);
  return Date.now() - mtimeMs > FOREIGN_LEFTOVER_AGE_MS;
}

async function killRecorded(dir: string): Promise<boolean> {
  const text = await readFile(join(dir, BROWSER_RECORD), "utf8").catch(() => "null");
  const record = browserRecord.safeParse(JSON.parse(text));
  if (!record.success || !isAlive(record.data)) return false;
  killGroup(record.data.pid);
  return true;
}

async function remove(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

async function sweepDir(dir: string, tag: string): Promise<boolean> {
  // A process id from another container names another process here.
  if (ownerState(tag) !== "dead") return false;
  const killed = await killRecorded(dir).catch(() => false);
  await remove(dir);
  return killed;
}

/** The folders of browsers, with the tags of their owners. */
async function workerDirs(dataDir: string): Promise<{ dir: string; tag: string }[]> {
  const names = await readdir(workersDir(dataDir)).catch(() => []);
  return names.map((name) => ({ dir: join(workersDir(dataDir), name), tag: name.split(".")[0] ?? "" }));
}

/**
 * Kills browsers whose server was killed, and removes their folders. A browser is killed only if a folder of this data folder
 * records it, and only while process id and start time both match.
 * @returns the number of browsers that were killed
 */
export async function sweepOrphans(dataDir: string): Promise<number> {
  const killed = await Promise.all(
    (await workerDirs(dataDir)).map(({ dir, tag }) => sweepDir(dir, tag).catch(() => false)),
  );
  return killed.filter(Boolean).length;
}

/** When a folder was last marked, in milliseconds. Undefined when it is gone. */
async function markedAt(dir: string): Promise<number | undefined> {
  return (await stat(dir).catch(() => undefined))?.mtimeMs;
}

/** Whether another server has browsers in a data folder. */
export async function hasOtherServers(dataDir: string): Promise<boolean> {
  const others = (await workerDirs(dataDir)).filter(({ tag }) => tag !== ownerTag());
  const leftovers = await Promise.all(others.map(({ dir, tag }) => isLeftover(dir, tag).catch(() => true)));
  return leftovers.includes(false);
}

async function sweepForeignDir({ dir, tag }: { dir: string; tag: string }, pause: () => Promise<void>): Promise<void> {
  if (ownerState(tag) !== "unknown" || !(await isLeftover(dir, tag))) return;
  const before = await markedAt(dir);
  await pause();
  if ((await markedAt(dir)) === before) await remove(dir);
}

/**
 * Removes folders of browsers of other containers that have ended. An old one may belong to a live server where a clock was
 * set, or two clocks differ. So it is removed only if it is not marked during a pause.
 * @param pause longer than {@link WORKER_MARK_INTERVAL_MS}
 */
export async function sweepForeign(dataDir: string, pause: () => Promise<void>): Promise<void> {
  const dirs = await workerDirs(dataDir);
  await Promise.all(dirs.map((entry) => sweepForeignDir(entry, pause).catch(() => undefined)));
}

/** Sweeps a data folder before the first browser of this process starts. */
export async function sweepOrphansOnce(dataDir: string): Promise<void> {
  if (swept.get().has(dataDir)) return;
  swept.get().add(dataDir);
  await sweepOrphans(dataDir);
  void sweepForeign(dataDir, () => sleep(FOREIGN_WATCH_MS, undefined, { ref: false }));
}
