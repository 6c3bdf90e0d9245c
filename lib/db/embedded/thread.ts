import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { ClientConnection } from "./client-connection.ts";
import { DURABLE_PARAMS, DurableFiles, syncFolder } from "./durable-files.ts";
import { HEARTBEAT_INTERVAL_MS, MAINTENANCE_INTERVAL_MS, OWNERSHIP_CHECK_MS } from "./embedded-limits.ts";
import { type FolderLock, sendHeartbeat } from "./folder-lock.ts";
import { maintain } from "./maintenance.ts";
import { SessionQueue } from "./session-queue.ts";

/*
 * The thread of the embedded database. PGlite runs a statement in the thread that calls it, which would block every request.
 */

export type ThreadData = { dir: string; lock: FolderLock };
export type ThreadEvent = "ready" | "pong" | "lost";
export type ThreadOrder = "ping" | "stop";

const { dir, lock } = workerData as ThreadData;
const port = parentPort as NonNullable<typeof parentPort>;

/**
 * A tenth of the default cache holds all tables and saves 130 MB of memory. A small write-ahead log saves disk space. To analyze
 * a large table takes a second by default, in which no query runs: a quarter of the sample is enough for queries as simple as these.
 */
const SETTINGS = ["shared_buffers=16MB", "min_wal_size=32MB", "max_wal_size=64MB", "default_statistics_target=25"];

const START_PARAMS = [...DURABLE_PARAMS, ...SETTINGS.flatMap((setting) => ["-c", setting])];

/**
 * V8 compiles a wrapper for each import that WebAssembly calls often, and shares it between the threads of the process. When one
 * database is closed and another one opened in the same process, V8 of Node 24 can free such a wrapper twice, which ends the
 * process (nodejs/node#64500, "jit_page_->allocations_.erase(addr) == 1"). With this budget no call is often enough, so the
 * wrappers stay V8's built-in ones.
 */
setFlagsFromString("--wasm-wrapper-tiering-budget=2147483647");

function notify(event: ThreadEvent): void {
  port.postMessage(event);
}

/** Opens the database or creates it. The remains of an interrupted creation are deleted: no write to it was acknowledged. */
async function openData(): Promise<PGlite> {
  const data = join(dir, "data");
  const creating = join(dir, "creating");
  if (existsSync(creating)) rmSync(data, { recursive: true, force: true });
  // What a killed server has left, such as the rows of a backup. PGlite has no process of PostgreSQL that removes it at a start.
  rmSync(join(data, "base", "pgsql_tmp"), { recursive: true, force: true });
  const isNew = !existsSync(data);
  if (isNew) writeFileSync(creating, "");
  const database = await PGlite.create({ fs: new DurableFiles(data), startParams: START_PARAMS });
  if (isNew) {
    syncFolder(data);
    rmSync(creating);
  }
  return database;
}

/** Exits before the next write when another server took the folder over, because this process was paused for long. */
function requireOwnership(): void {
  if (sendHeartbeat(lock)) return;
  notify("lost");
  process.exit(1);
}

let checkedAt = performance.now();

/** Checks the ownership when this process was paused. Called before each write. */
function checkOwnership(): void {
  const now = performance.now();
  if (now - checkedAt > OWNERSHIP_CHECK_MS) requireOwnership();
  checkedAt = now;
}

function serve(database: PGlite, queue: SessionQueue): Server {
  const server = createServer((socket) => new ClientConnection({ socket, database, queue }));
  server.listen(lock.socket, () => {
    chmodSync(lock.socket, 0o600);
    notify("ready");
  });
  return server;
}

const database = await openData();
const queue = new SessionQueue(checkOwnership);
const server = serve(database, queue);
setInterval(requireOwnership, HEARTBEAT_INTERVAL_MS);
setInterval(() => maintain(database, queue), MAINTENANCE_INTERVAL_MS);

async function stop(): Promise<void> {
  server.close();
  await queue.close();
  await database.close();
  process.exit(0);
}

port.on("message", (order: ThreadOrder) => (order === "ping" ? notify("pong") : void stop()));
