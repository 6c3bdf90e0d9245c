import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { PROJECT_DIR } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { log } from "#lib/log.ts";
import {
  BEAT_INTERVAL_MS,
  RESTART_MAX_MS,
  RESTART_MS,
  SOCKET_PATH_BYTES,
  STOP_TIMEOUT_MS,
  STUCK_MS,
  TELL_AFTER_MS,
} from "./embedded-limits.ts";
import { beat, claimFolder, type Lock, releaseFolder, SOCKET_FOLDER_PREFIX } from "./lock.ts";
import type { ThreadData, ThreadEvent, ThreadOrder } from "./thread.ts";

/** What PGlite is made of. Its data can be read by no other. */
export const EMBEDDED_MAJOR = "18";

const THREAD = join(PROJECT_DIR, "lib/db/embedded/thread.ts");

export type EmbeddedServer = {
  /** Resolves when the database can be asked. @throws Error when its data cannot be opened */
  ready: Promise<void>;
  /** Writes everything down and lets others have the folder. Never throws. */
  stop(): Promise<void>;
};

type ServeOptions = { dir: string; onProgress: (message: string) => void };

/** @throws ConfigError when the folder cannot be private to this user, or holds another PostgreSQL's data */
function prepareFolder(dir: string): void {
  const fault = (message: string) => new ConfigError([{ variable: "SERVICE_DATABASE_DIR", message }]);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    chmodSync(dir, 0o700);
  } catch (error) {
    throw fault(`the embedded database needs a folder of its own at ${dir}: ${(error as Error).message}`);
  }
  const file = join(dir, "data", "PG_VERSION");
  const major = existsSync(file) ? readFileSync(file, "utf8").trim() : EMBEDDED_MAJOR;
  if (major === EMBEDDED_MAJOR || existsSync(join(dir, "creating"))) return;
  throw fault(
    `${dir} holds the data of PostgreSQL ${major}, and this version of Platen reads that of ${EMBEDDED_MAJOR}. Move its rows with the version that wrote it, or start with an empty folder`,
  );
}

/** A name that nobody had before, so that what is left of it is in nobody's way. The system bounds its length. */
function socketPath(dir: string): string {
  const name = `${randomBytes(6).toString("hex")}.socket`;
  const path = join(dir, name);
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES) return path;
  return join(mkdtempSync(join(tmpdir(), SOCKET_FOLDER_PREFIX)), name);
}

/** The thread of the database, replaced when it dies or gets stuck. */
class Keeper {
  readonly #data: ThreadData;
  #worker: Worker | undefined;
  #heardAt = performance.now();
  #isReady = false;
  #isStopping = false;
  #restartMs = RESTART_MS;
  readonly #timer: NodeJS.Timeout;

  constructor(data: ThreadData) {
    this.#data = data;
    this.#timer = setInterval(() => this.#watch(), BEAT_INTERVAL_MS).unref();
  }

  /** Resolves when the database can be asked. @throws whatever keeps it from starting */
  async start(): Promise<void> {
    const worker = new Worker(THREAD, { workerData: this.#data });
    this.#worker = worker;
    this.#heardAt = performance.now();
    const ready = Promise.withResolvers<void>();
    this.#isReady = false;
    worker.on("message", (event: ThreadEvent) => {
      this.#heardAt = performance.now();
      if (event === "lost") this.#lose();
      if (event !== "ready") return;
      this.#isReady = true;
      this.#restartMs = RESTART_MS;
      ready.resolve();
    });
    worker.on("error", (error) => {
      if (this.#isReady) log().error({ err: error }, "The embedded database has failed.");
      ready.reject(error);
    });
    worker.on("exit", () => {
      ready.reject(new Error("The thread of the embedded database ended before it was ready."));
      if (this.#isReady) void this.#restart();
    });
    await ready.promise;
  }

  async #restart(): Promise<void> {
    while (!this.#isStopping) {
      log().error({ waitMs: this.#restartMs }, "The embedded database has stopped, and is started again.");
      await sleep(this.#restartMs);
      this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MAX_MS);
      if (this.#isStopping) return;
      const failure = await this.start().then(
        () => undefined,
        (error: Error) => error,
      );
      if (!failure) return;
      log().error({ err: failure }, "The embedded database does not start.");
    }
  }

  #watch(): void {
    beat(this.#data.lock);
    if (!this.#isReady) return;
    if (performance.now() - this.#heardAt > STUCK_MS) {
      this.#heardAt = performance.now();
      log().error("The embedded database is stuck in a statement.");
      void this.#worker?.terminate();
    }
    this.#order("ping");
  }

  #lose(): void {
    this.#isStopping = true;
    log().fatal("Another server has taken the embedded database over while this one was paused.");
  }

  #order(order: ThreadOrder): void {
    this.#worker?.postMessage(order);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    const worker = this.#worker;
    if (!worker || worker.threadId === -1) return;
    const ended = once(worker, "exit");
    this.#order("stop");
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    await worker.terminate();
  }
}

/** Says so when it takes long. */
async function tellWhenSlow(ready: Promise<void>, { dir, onProgress }: ServeOptions): Promise<void> {
  const isFirst = !existsSync(join(dir, "data"));
  const timer = setTimeout(
    () => onProgress(isFirst ? "Making the embedded database …" : "Opening the embedded database …"),
    TELL_AFTER_MS,
  );
  await ready.catch(() => undefined);
  clearTimeout(timer);
}

/**
 * Serves the embedded database of a folder from a thread of this process, on a socket that only this user can reach.
 * Resolves as soon as the folder is this process's own.
 *
 * @throws FolderInUse when another server has it; ConfigError when it cannot be used
 */
export async function serveEmbedded(options: ServeOptions): Promise<EmbeddedServer> {
  const { dir, onProgress } = options;
  prepareFolder(dir);
  const onWait = (pid: number) => onProgress(`Waiting to see whether process ${pid} still serves ${dir} …`);
  const lock: Lock = await claimFolder({ dir, socket: socketPath(dir), onWait });
  const keeper = new Keeper({ dir, lock });
  const ready = keeper.start();
  void tellWhenSlow(ready, options);
  const stop = async () => {
    await keeper.stop().catch(() => undefined);
    releaseFolder(lock);
  };
  return { ready, stop };
}
