import fs from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { DURABLE_PARAMS, DurableFiles, type OnFailure, syncFolder, syncPath } from "./durable-files.ts";

/**
 * A tenth of the default cache holds all tables and saves 130 MB of memory. A small write-ahead log saves disk space. To analyze
 * a large table takes a second by default, in which no query runs: a quarter of the sample is enough for queries as simple as these.
 * By default, PostgreSQL keeps every file open that it has read, up to 1,000. That leaves too few for the connections of this process, and
 * PostgreSQL ends when it cannot open its log.
 */
const SETTINGS = [
  "shared_buffers=16MB",
  "min_wal_size=32MB",
  "max_wal_size=64MB",
  "default_statistics_target=25",
  "max_files_per_process=100",
];

const START_PARAMS = [...DURABLE_PARAMS, ...SETTINGS.flatMap((setting) => ["-c", setting])];

/** The longest delay of a timer. Node takes a longer one, or none, for 1 ms, and warns of a longer one each time. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Bounds the delays of timers in this thread. PostgreSQL keeps the times of day at which its timeouts end, and sets a timer again that is
 * early. Where the clock was ahead by more than 24 days and is set back, that is a thousand times a second, for as long as it was ahead.
 */
function boundTimers(): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply: (target, self, [callback, ms = 1, ...args]) =>
      Reflect.apply(target, self, [callback, Math.min(ms, TIMER_MAX_MS), ...args]),
  });
}

/**
 * Opens the database of a folder or creates it. The remains of an interrupted creation are deleted: no write to it was acknowledged.
 * The mark of a creation is gone from the disk before the first write is acknowledged. Otherwise a power failure could bring it back,
 * and the next start would delete the rows.
 */
export async function openData(dir: string, onFailure: OnFailure): Promise<PGlite> {
  const data = join(dir, "data");
  const creating = join(dir, "creating");
  if (fs.existsSync(creating)) fs.rmSync(data, { recursive: true, force: true });
  // What a killed server has left, such as the rows of a backup. PGlite has no process of PostgreSQL that removes it at a start.
  fs.rmSync(join(data, "base", "pgsql_tmp"), { recursive: true, force: true });
  const isNew = !fs.existsSync(data);
  if (isNew) {
    fs.writeFileSync(creating, "");
    syncPath(dir);
  }
  boundTimers();
  const database = await PGlite.create({ fs: new DurableFiles(data, onFailure), startParams: START_PARAMS });
  if (isNew) {
    syncFolder(data);
    fs.rmSync(creating);
    syncPath(dir);
  }
  return database;
}
