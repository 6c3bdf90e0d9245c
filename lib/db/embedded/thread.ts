import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { ClientConnection } from "./client-connection.ts";
import {
  CLIENTS_LEAVE_MS,
  GROWTH_INTERVAL_MS,
  HEARTBEAT_INTERVAL_MS,
  MAINTENANCE_INTERVAL_MS,
  OWNERSHIP_CHECK_MS,
} from "./embedded-limits.ts";
import type { FolderLock } from "./folder-lock.ts";
import { holdsFolder } from "./keep-folder.ts";
import { growthStatements, maintain, maintenanceStatements } from "./maintenance.ts";
import { openData } from "./open-data.ts";
import { SessionQueue } from "./session-queue.ts";
import { roomIn } from "./unusable-data.ts";

/*
 * The thread of the embedded database. PGlite runs a statement in the thread that calls it, which would block every request.
 */

export type ThreadData = { dir: string; lock: FolderLock };
export type ThreadEvent =
  | "ready"
  | "pong"
  | "lost"
  | { failed: string; code: string | undefined }
  /** Why PostgreSQL refused a statement of the maintenance. */
  | { refused: string };
export type ThreadOrder = "ping" | "stop";

const { dir, lock } = workerData as ThreadData;
const port = parentPort as NonNullable<typeof parentPort>;

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

/**
 * Exits before the next write when the folder is away or another one, or when another server took it over while this process was
 * paused.
 */
function requireOwnership(): void {
  if (holdsFolder(lock)) return;
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
  // An earlier thread leaves its socket when the folder is read-only or closed to this user.
  rmSync(lock.socket, { force: true });
  server.listen(lock.socket, () => {
    chmodSync(lock.socket, 0o600);
    notify("ready");
  });
  return server;
}

/** Ends this thread at once, also in the middle of a statement. */
function fail(error: unknown): void {
  const { message, code } = error as NodeJS.ErrnoException;
  notify({ failed: message, code });
  process.exit(1);
}

const database = await openData(dir, fail);
const queue = new SessionQueue(checkOwnership);
const server = serve(database, queue);
setInterval(requireOwnership, HEARTBEAT_INTERVAL_MS);
const onRefusal = ({ message }: Error) => notify({ refused: message });
const maintained = { database, queue, room: () => roomIn(dir), onRefusal };
setInterval(() => maintain({ ...maintained, find: maintenanceStatements }), MAINTENANCE_INTERVAL_MS);
setInterval(() => maintain({ ...maintained, find: growthStatements }), GROWTH_INTERVAL_MS);

/** This process has closed its own connections. The others are of commands, which would fail in the middle of their work. */
async function closeServer(): Promise<void> {
  const left = new Promise<void>((resolve) => server.close(() => resolve()));
  await Promise.race([left, sleep(CLIENTS_LEAVE_MS)]);
}

async function stop(): Promise<void> {
  await closeServer();
  await queue.close();
  await database.close();
  process.exit(0);
}

port.on("message", (order: ThreadOrder) => (order === "ping" ? notify("pong") : void stop()));
