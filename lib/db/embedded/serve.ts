import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { PROJECT_DIR } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { explainFileFault } from "#lib/file-faults.ts";
import { log } from "#lib/log.ts";
import { makePrivateFolder } from "#lib/private-folder.ts";
import { foldersServedHere } from "../connection-options.ts";
import { closeDatabase } from "../database.ts";
import { warnRarely } from "../rare-warnings.ts";
import {
  HEARTBEAT_INTERVAL_MS,
  PROGRESS_AFTER_MS,
  RESTART_MAX_MS,
  RESTART_MS,
  STOP_TIMEOUT_MS,
  STUCK_MS,
} from "./embedded-limits.ts";
import { claimFolder, FolderInUse, type FolderLock, releaseFolder } from "./folder-lock.ts";
import { explainForeignFiles, giveToOwner } from "./folder-owner.ts";
import { keepFolder, socketPath } from "./keep-folder.ts";
import type { ThreadData, ThreadEvent, ThreadOrder } from "./thread.ts";
import { explainDamage, explainDisk } from "./unusable-data.ts";

/** The PostgreSQL version of PGlite. Other versions cannot read its data. */
export const EMBEDDED_MAJOR = "18";

const THREAD = join(PROJECT_DIR, "lib/db/embedded/thread.ts");

export type EmbeddedServer = {
  /** Resolves when the database accepts queries. @throws Error when its data cannot be opened */
  ready: Promise<void>;
  /** Writes everything to disk and releases the folder. Never throws. */
  stop(): Promise<void>;
};

type ServeOptions = {
  dir: string;
  onProgress: (message: string) => void;
  /** How long to wait for a folder that is in use, in milliseconds. A server has a time of its own. */
  waitMs?: number | undefined;
};

/** @throws ConfigError when the folder cannot be made private to this user, or its data is incomplete or of another PostgreSQL version */
async function prepareFolder(dir: string): Promise<void> {
  const fault = (message: string) => new ConfigError([{ variable: "SERVICE_DATABASE_DIR", message }]);
  try {
    await makePrivateFolder(dir);
    chmodSync(dir, 0o700);
  } catch (error) {
    const reason = explainFileFault(error) ?? (error as Error).message;
    throw fault(`the folder of the embedded database cannot be used: ${reason.replace(/\.$/, "")}`);
  }
  const data = join(dir, "data");
  if (existsSync(join(dir, "creating")) || !existsSync(data) || readdirSync(data).length === 0) return;
  const file = join(data, "PG_VERSION");
  // Without this file, PGlite would take the folder for an empty one and write a new database over the rows.
  if (!existsSync(file))
    throw fault(
      `${data} is damaged or was not copied as a whole: it has no PG_VERSION. Restore a backup into another folder, or move this one away to start with an empty database`,
    );
  const major = readFileSync(file, "utf8").trim();
  if (major === EMBEDDED_MAJOR) return;
  throw fault(
    `${dir} has data of PostgreSQL ${major}, and this version of Platen reads PostgreSQL ${EMBEDDED_MAJOR}. Export the rows with the version that wrote them, or start with an empty folder`,
  );
}

function warnOfRefusal(reason: string): void {
  warnRarely({ reason }, "The embedded database could not be brought in order. It is tried again.");
}

/** The thread of the database. It is replaced when it dies or gets stuck. */
class DatabaseThread {
  readonly #data: ThreadData;
  #worker: Worker | undefined;
  #answeredAt = performance.now();
  #isReady = false;
  readonly #stopping = new AbortController();
  #restarted = Promise.resolve();
  #isBeating = false;
  #restartMs = RESTART_MS;
  readonly #timer: NodeJS.Timeout;

  constructor(data: ThreadData) {
    this.#data = data;
    this.#timer = setInterval(() => this.#watch(), HEARTBEAT_INTERVAL_MS).unref();
  }

  /** Resolves when the database accepts queries. @throws the error that ended the start */
  async start(): Promise<void> {
    const worker = new Worker(THREAD, { workerData: this.#data });
    this.#worker = worker;
    this.#answeredAt = performance.now();
    const ready = Promise.withResolvers<void>();
    this.#isReady = false;
    const onFailure = (cause: unknown) => {
      const { dir } = this.#data;
      const known = explainForeignFiles(dir, explainDisk(dir, cause));
      const error = this.#isReady ? known : explainDamage(dir, known);
      if (this.#isReady) log().error({ err: error }, "The embedded database has failed.");
      ready.reject(error);
    };
    worker.on("message", (event: ThreadEvent) => {
      this.#answeredAt = performance.now();
      if (typeof event === "object" && "refused" in event) warnOfRefusal(event.refused);
      else if (typeof event === "object") onFailure(Object.assign(new Error(event.failed), { code: event.code }));
      if (event === "lost") this.#noteLoss();
      if (event !== "ready") return;
      this.#isReady = true;
      this.#restartMs = RESTART_MS;
      ready.resolve();
    });
    worker.on("error", onFailure);
    worker.on("exit", () => {
      ready.reject(new Error("The thread of the embedded database ended before it was ready."));
      if (this.#isReady) this.#restarted = this.#restart(this.#stopping.signal);
    });
    await ready.promise;
  }

  /** Starts the thread again until it succeeds or the signal aborts. Never throws. */
  async #restart(signal: AbortSignal): Promise<void> {
    this.#isReady = false;
    while (!signal.aborted) {
      log().error({ waitMs: this.#restartMs }, "The embedded database has stopped. It is started again.");
      const failure = await this.#startAgain(signal).then(
        () => undefined,
        (error: Error) => error,
      );
      if (!failure || signal.aborted) return;
      log().error({ err: failure }, "The embedded database could not be started.");
    }
  }

  /** @throws what {@link keepFolder} and {@link start} throw */
  async #startAgain(signal: AbortSignal): Promise<void> {
    const waitMs = this.#restartMs;
    this.#restartMs = Math.min(waitMs * 2, RESTART_MAX_MS);
    await sleep(waitMs, undefined, { signal });
    await this.#keepFolder(signal);
    signal.throwIfAborted();
    await this.start();
  }

  #watch(): void {
    void this.#sendHeartbeat();
    if (!this.#isReady) return;
    if (performance.now() - this.#answeredAt > STUCK_MS) {
      this.#answeredAt = performance.now();
      log().error("The embedded database is stuck in a statement.");
      void this.#worker?.terminate();
    }
    this.#send("ping");
  }

  /** Not synchronous: on a disk that stands still, as for a snapshot, everything that needs no database would wait too. */
  async #sendHeartbeat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const now = new Date();
    await utimes(this.#data.lock.file, now, now).catch(() => undefined);
    this.#isBeating = false;
  }

  #noteLoss(): void {
    const { dir } = this.#data;
    log().error(
      { dir },
      "This server has lost the embedded database: its folder was moved or deleted, its disk is away, or another server took it over while this one was paused.",
    );
  }

  /** @throws what {@link keepFolder} throws */
  async #keepFolder(signal: AbortSignal): Promise<void> {
    const lock = await keepFolder({ ...this.#data, signal });
    if (lock === this.#data.lock) return;
    this.#data.lock = lock;
    // An earlier copy may be there now, whose tables are migrated before the next query.
    await closeDatabase();
  }

  #send(order: ThreadOrder): void {
    this.#worker?.postMessage(order);
  }

  /** Stops the thread and releases the folder. Never throws. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#stopWorker().catch(() => undefined);
    // It may have claimed the folder again.
    await this.#restarted;
    giveToOwner(this.#data.dir);
    try {
      releaseFolder(this.#data.lock);
    } catch {
      // The folder is read-only or closed. The next server removes the claim of a process that has ended.
    }
  }

  async #stopWorker(): Promise<void> {
    const worker = this.#worker;
    if (!worker || worker.threadId === -1) return;
    const ended = once(worker, "exit");
    this.#send("stop");
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    await worker.terminate();
  }
}

/** Prints a message when the start takes long. */
async function reportSlowStart(ready: Promise<void>, { dir, onProgress }: ServeOptions): Promise<void> {
  const isFirst = !existsSync(join(dir, "data"));
  const timer = setTimeout(
    () => onProgress(isFirst ? "Creating the embedded database …" : "Opening the embedded database …"),
    PROGRESS_AFTER_MS,
  );
  await ready.catch(() => undefined);
  clearTimeout(timer);
}

/**
 * Serves the embedded database of a folder from a thread of this process, on a socket that only this user can reach. Resolves
 * as soon as this process owns the folder.
 *
 * @throws FolderInUse when another server owns it; ConfigError when the folder cannot be used; Error with the code ENOSPC
 */
export async function serveEmbedded(options: ServeOptions): Promise<EmbeddedServer> {
  const { dir, onProgress, waitMs } = options;
  await prepareFolder(dir);
  const onWait = (pid: number) => onProgress(`Checking whether process ${pid} still serves ${dir} …`);
  const claimed = socketPath(dir).then((socket) => claimFolder({ dir, socket, onWait, waitMs }));
  const lock: FolderLock = await claimed.catch((error: unknown) =>
    Promise.reject(error instanceof FolderInUse ? error : explainDisk(dir, error)),
  );
  foldersServedHere.get().add(dir);
  const thread = new DatabaseThread({ dir, lock });
  const ready = thread.start().then(() => giveToOwner(dir));
  void reportSlowStart(ready, options);
  const stop = async () => {
    await thread.stop();
    foldersServedHere.get().delete(dir);
  };
  return { ready, stop };
}
