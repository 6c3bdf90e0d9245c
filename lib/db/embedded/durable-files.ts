import fs from "node:fs";
import { dirname, sep } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { LOG_SYNC_MS } from "./embedded-limits.ts";

/*
 * PGlite's own files never reach the disk by `fsync`. The system writes them whenever and in whatever order it likes, so that a power
 * failure left a database that cannot be opened. PostgreSQL needs its write-ahead log on the disk before what the log is about.
 */

/** The start parameters that {@link DurableFiles} needs. With `-F`, PostgreSQL never asks for the disk. */
export const DURABLE_PARAMS = PGlite.defaultStartParams.filter((parameter) => parameter !== "-F");

type Node = { parent: Node; mount: unknown };
type Stream = { node: Node; nfd?: number };
type Operation = (this: unknown, ...args: never[]) => unknown;

/** The part of Emscripten's NODEFS that is used here. */
type HostFiles = {
  realPath(node: Node): string;
  stream_ops: Record<string, Operation>;
  node_ops: Record<string, Operation>;
};

type Init = ReturnType<NodeFS["init"]>;
type InitOptions = Parameters<NodeFS["init"]>;

const isLog = (path: string) => path.includes(`${sep}pg_wal${sep}`);

/** Opens a file so that Windows, too, brings it to the disk, or a folder. */
function openAny(path: string): number {
  try {
    return fs.openSync(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EISDIR") throw error;
    return fs.openSync(path, "r");
  }
}

/**
 * How file systems refuse to bring a folder to the disk: some of FUSE and some shared ones always do, and so does Windows. PostgreSQL goes
 * on without it as well. What else fails ends the thread, and the next one reads the log again.
 */
const FOLDER_REFUSALS = ["EACCES", "EBADF", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"];

function syncDescriptor(descriptor: number): void {
  try {
    fs.fsyncSync(descriptor);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!FOLDER_REFUSALS.includes(code) || !fs.fstatSync(descriptor).isDirectory()) throw error;
  }
}

/** Makes what is in a file, or which files are in a folder, survive a power failure. A file that is gone needs nothing. */
export function syncPath(path: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openAny(path);
    syncDescriptor(descriptor);
  } catch (error) {
    // EISDIR and EPERM: Windows opens no folders.
    if (!["ENOENT", "EISDIR", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Makes everything in a folder survive a power failure. */
export function syncFolder(dir: string): void {
  for (const entry of fs.readdirSync(dir, { recursive: true, withFileTypes: true }))
    syncPath(`${entry.parentPath}${sep}${entry.name}`);
  syncPath(dir);
  syncPath(dirname(dir));
}

/**
 * Is called when bytes have not reached the disk, also in the middle of a statement, and ends the thread. PostgreSQL ends then as well: a
 * later sync does not report the missing bytes. Thrown errors get lost inside it, and the statement is never answered.
 */
export type OnFailure = (error: unknown) => void;

/**
 * The files of a database that a power failure leaves usable. A commit does not wait for the disk: its log is there before any other file
 * is changed, and at the latest {@link LOG_SYNC_MS} later.
 */
export class DurableFiles extends NodeFS {
  /** The files of the log whose last bytes may not be on the disk. */
  readonly #late = new Set<string>();
  readonly #timer = setInterval(() => this.#syncSoon(), LOG_SYNC_MS).unref();
  readonly #onFailure: OnFailure;

  constructor(dataDir: string, onFailure: OnFailure) {
    super(dataDir);
    this.#onFailure = onFailure;
  }

  override async init(...[pg, options]: InitOptions): Init {
    const { emscriptenOpts } = await super.init(pg, options);
    const order = (module: unknown) => this.#order((module as { NODEFS: HostFiles }).NODEFS);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...[emscriptenOpts.preRun ?? []].flat(), order] } };
  }

  override async closeFs(): Promise<void> {
    clearInterval(this.#timer);
    this.syncLog();
    await super.closeFs();
  }

  #syncSoon(): void {
    try {
      this.syncLog();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Runs a sync in the middle of a statement. @throws what it throws */
  #inStatement(sync: () => void): void {
    try {
      sync();
    } catch (error) {
      this.#onFailure(error);
      throw error;
    }
  }

  /** Brings the log to the disk. */
  syncLog(): void {
    if (this.#late.size === 0) return;
    for (const path of this.#late) syncPath(path);
    this.#late.clear();
  }

  #order(files: HostFiles): void {
    files.stream_ops.fsync = (stream: Stream) => {
      const path = files.realPath(stream.node);
      if (isLog(path)) return 0;
      const { nfd } = stream;
      this.#inStatement(() => (nfd === undefined ? syncPath(path) : syncDescriptor(nfd)));
      return 0;
    };
    const { write } = files.stream_ops as { write: Operation };
    const syncLog = () => this.#inStatement(() => this.syncLog());
    const note = (path: string) => (isLog(path) ? this.#late.add(path) : syncLog());
    files.stream_ops.write = function (stream: Stream, ...rest: never[]) {
      note(files.realPath(stream.node));
      return write.call(this, stream as never, ...rest);
    };
    for (const name of ["unlink", "rename", "setattr"]) this.#callBefore(files.node_ops, name, syncLog);
  }

  #callBefore(operations: Record<string, Operation>, name: string, act: () => void): void {
    const operation = operations[name];
    if (!operation) return;
    operations[name] = function (...args) {
      act();
      return operation.apply(this, args);
    };
  }
}
