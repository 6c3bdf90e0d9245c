import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { processState } from "#lib/process-state.ts";
import { identityOf, isAlive, killGroup, ownerState, ownerTag } from "#lib/processes.ts";
import { FOREIGN_LEFTOVER_AGE_MS, WORKER_MARK_INTERVAL_MS } from "#lib/render/render-limits.ts";

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
  await mkdir(workersDir(dataDir), { recursive: true, mode: 0o700 });
  // Not `recursive`: on a read-only disk that fails with ENOENT, which hides the reason.
  await mkdir(dir, { mode: 0o700 });
  return dir;
}

/** Records the browser's process in its folder. Synchronous, so that the browser never runs unrecorded. */
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

async function sweepDir(dir: string, tag: string): Promise<boolean> {
  if (!(await isLeftover(dir, tag))) return false;
  // A process id from another container names another process here.
  const killed = ownerState(tag) === "dead" && (await killRecorded(dir).catch(() => false));
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  return killed;
}

/**
 * Kills browsers whose server was killed, and removes their folders. A browser is killed only if a folder of this data folder
 * records it, and only while process id and start time both match.
 * @returns the number of browsers that were killed
 */
export async function sweepOrphans(dataDir: string): Promise<number> {
  const names = await readdir(workersDir(dataDir)).catch(() => []);
  const killed = await Promise.all(
    names.map((name) => sweepDir(join(workersDir(dataDir), name), name.split(".")[0] ?? "").catch(() => false)),
  );
  return killed.filter(Boolean).length;
}

/** Sweeps a data folder before the first browser of this process starts. */
export async function sweepOrphansOnce(dataDir: string): Promise<void> {
  if (swept.get().has(dataDir)) return;
  swept.get().add(dataDir);
  await sweepOrphans(dataDir);
}
