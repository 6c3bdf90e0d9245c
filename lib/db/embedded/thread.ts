import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "./client.ts";
import { BEAT_INTERVAL_MS, FENCE_MS, TIDY_INTERVAL_MS } from "./embedded-limits.ts";
import { beat, type Lock } from "./lock.ts";
import { type Guest, Turns } from "./turns.ts";

/*
 * The thread that the embedded database lives in: PGlite answers in the thread that asks, and would hold up every request.
 */

export type ThreadData = { dir: string; lock: Lock };
export type ThreadEvent = "ready" | "pong" | "lost";
export type ThreadOrder = "ping" | "stop";

const { dir, lock } = workerData as ThreadData;
const port = parentPort as NonNullable<typeof parentPort>;

/** A tenth of PostgreSQL's usual cache holds all of our tables and takes 130 MB less of memory; the log keeps less of the disk. */
const SETTINGS = ["shared_buffers=16MB", "min_wal_size=32MB", "max_wal_size=64MB"];
const START_PARAMS = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ["-c", setting])];

function tell(event: ThreadEvent): void {
  port.postMessage(event);
}

/** Opens the data, or makes it. What a making that was cut off has left is no database, and nobody was told of it. */
async function openData(): Promise<PGlite> {
  const data = join(dir, "data");
  const creating = join(dir, "creating");
  if (existsSync(creating)) rmSync(data, { recursive: true, force: true });
  if (existsSync(data)) return await PGlite.create(data, { startParams: START_PARAMS });
  writeFileSync(creating, "");
  const database = await PGlite.create(data, { startParams: START_PARAMS });
  rmSync(creating);
  return database;
}

/** Another server has taken the folder over, because this process was paused for long. Nothing more may be written. */
function requireFolder(): void {
  if (beat(lock)) return;
  tell("lost");
  process.exit(1);
}

let lookedAt = performance.now();

/** Looks, before anything is written, whether this process was paused. */
function fence(): void {
  const now = performance.now();
  if (now - lookedAt > FENCE_MS) requireFolder();
  lookedAt = now;
}

function serve(database: PGlite, turns: Turns): Server {
  const server = createServer((socket) => new Client({ socket, database, turns }));
  server.listen(lock.socket, () => {
    chmodSync(lock.socket, 0o600);
    tell("ready");
  });
  return server;
}

/** What PostgreSQL's background processes do elsewhere, a table at a time so that nobody waits for long. */
function tidy(database: PGlite, turns: Turns): void {
  const statements = ["checkpoint"];
  const guest: Guest = {
    hasWork: () => statements.length > 0,
    work: async () => {
      const statement = statements.pop();
      if (statement) await database.exec(statement);
      return false;
    },
  };
  turns.want({
    hasWork: () => false,
    work: async () => {
      const { rows } = await database.query<{ name: string }>(
        "select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables where n_dead_tup > 1000 or n_mod_since_analyze > 1000",
      );
      statements.push(...rows.map(({ name }) => `vacuum (analyze) ${name}`));
      turns.want(guest);
      return false;
    },
  });
}

const database = await openData();
const turns = new Turns(fence);
const server = serve(database, turns);
setInterval(requireFolder, BEAT_INTERVAL_MS);
setInterval(() => tidy(database, turns), TIDY_INTERVAL_MS);

async function stop(): Promise<void> {
  server.close();
  await turns.close();
  await database.close();
  process.exit(0);
}

port.on("message", (order: ThreadOrder) => (order === "ping" ? tell("pong") : void stop()));
