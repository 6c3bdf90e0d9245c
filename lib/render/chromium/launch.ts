import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { processState } from "#lib/process-state.ts";
import { killGroup } from "#lib/processes.ts";
import { BrowserLost, LaunchFailed } from "#lib/render/render-faults.ts";
import { CLOSE_TIMEOUT_MS } from "#lib/render/render-limits.ts";
import { BrowserConnection } from "./connection.ts";
import { hasSharedMemory, sharedMemoryDir } from "./disk-space.ts";
import { chromiumFlags } from "./flags.ts";
import type { Chromium } from "./install.ts";
import { claimWorkerDir, keepMarked, recordBrowser } from "./orphans.ts";
import { endFirst } from "./out-of-memory.ts";
import { pipeTransport } from "./pipe.ts";

export type LaunchOptions = {
  chromium: Chromium;
  /** The only folder written to. */
  dataDir: string;
  /** Path of the private fontconfig file. */
  fontconfig: string;
  sandboxed: boolean;
};

export type Browser = {
  /** Process id of the leader of the browser's own process group; undefined for a remote browser. */
  pid: number | undefined;
  /** The browser context that a remote browser was given; undefined for a browser that was started here. */
  contextId: string | undefined;
  /** Folders that must have room: the browser's own, and the one where its processes share memory. Undefined for a remote browser. */
  needsRoomIn: { own: string; memory: string } | undefined;
  connection: BrowserConnection;
  /** Settles once every process, file and connection of the browser is gone. */
  gone: Promise<void>;
  /** Kills every process of the browser, or ends the connection to a remote one. */
  kill(): void;
  /** Asks the browser to end, and kills it if it has not within a second. Resolves once it is gone. */
  close(): Promise<void>;
};

/** Process groups of running browsers, each with its folder. */
const browsers = processState("browsers", () => new Map<number, string>());

const OUTPUT_TAIL_CHARS = 4_096;

/** The last output of a browser may arrive after its exit. */
const OUTPUT_WAIT_MS = 200;

/** The browser gets none of the server's environment, which holds secrets and settings that could change a picture. */
function environmentOf(dir: string, { chromium, fontconfig }: LaunchOptions): Record<string, string> {
  return {
    HOME: join(dir, "home"),
    TMPDIR: join(dir, "tmp"),
    XDG_CACHE_HOME: join(dir, "home", "cache"),
    XDG_CONFIG_HOME: join(dir, "home", "config"),
    XDG_RUNTIME_DIR: join(dir, "tmp"),
    LANG: "C.UTF-8",
    TZ: "UTC",
    FONTCONFIG_FILE: fontconfig,
    ...(chromium.libraries && { LD_LIBRARY_PATH: chromium.libraries }),
  };
}

function keepTail(stream: Readable): () => string {
  let tail = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-OUTPUT_TAIL_CHARS);
  });
  return () => tail;
}

/** Kills all browsers when the server exits for any reason. */
function killAllAtExit(): void {
  for (const pid of browsers.get().keys()) killGroup(pid);
  for (const dir of browsers.get().values()) rmSync(dir, { recursive: true, force: true });
}

function register(pid: number, dir: string): void {
  if (browsers.get().size === 0 && !process.listeners("exit").includes(killAllAtExit))
    process.on("exit", killAllAtExit);
  browsers.get().set(pid, dir);
}

type Supervised = { pid: number; dir: string; connection: BrowserConnection; sharesOnDisk: boolean };

function superviseBrowser(child: ChildProcess, { pid, dir, connection, sharesOnDisk }: Supervised): Browser {
  const mark = keepMarked(dir);
  const gone = once(child, "exit").then(async ([code, signal]) => {
    // Its other processes may outlive it, for example its renderers when it was killed alone.
    killGroup(pid);
    mark.stop();
    connection.close(new BrowserLost(`The browser ended (${signal ?? `code ${code}`}).`));
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }).catch(() => undefined);
    browsers.get().delete(pid);
  });
  const close = async () => {
    connection.root.send("Browser.close").catch(() => undefined);
    await Promise.race([gone, setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    killGroup(pid);
    await gone;
  };
  const needsRoomIn = { own: dir, memory: sharedMemoryDir(dir, { sharesOnDisk }) };
  return { pid, needsRoomIn, contextId: undefined, connection, gone, kill: () => killGroup(pid), close };
}

async function spawnIn(
  dir: string,
  options: LaunchOptions & { sharesOnDisk: boolean },
): Promise<{ child: ChildProcess; pid: number }> {
  for (const name of ["home", "tmp", "profile"])
    await mkdir(join(/* turbopackIgnore: true */ dir, name), { mode: 0o700 });
  const flags = chromiumFlags({
    profileDir: join(/* turbopackIgnore: true */ dir, "profile"),
    sandboxed: options.sandboxed,
    sharesOnDisk: options.sharesOnDisk,
  });
  // `detached` makes the browser the leader of a process group, so that all its processes can be killed at once.
  const child = spawn(options.chromium.executable, flags, {
    cwd: dir,
    detached: true,
    // Next declares NODE_ENV as always present; the browser does not need it.
    env: environmentOf(dir, options) as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, "error");
    throw error;
  }
  // A failed kill also emits `error`. It is ignored, because only the exit event matters.
  child.on("error", () => undefined);
  endFirst(pid);
  register(pid, dir);
  return { child, pid };
}

async function launchOnce(options: LaunchOptions, signal: AbortSignal): Promise<Browser> {
  const dir = await claimWorkerDir(options.dataDir);
  const sharesOnDisk = !hasSharedMemory();
  const spawned = await spawnIn(dir, { ...options, sharesOnDisk }).catch(async (error) => {
    await rm(dir, { recursive: true, force: true });
    throw error;
  });
  const { child, pid } = spawned;
  const [, , stderr, input, output] = child.stdio as [null, null, Readable, Writable, Readable];
  const tail = keepTail(stderr);
  const connection = new BrowserConnection(pipeTransport({ input, output }));
  const browser = superviseBrowser(child, { pid, dir, connection, sharesOnDisk });
  try {
    recordBrowser(dir, pid);
    await connection.commands(signal).send("Browser.getVersion");
    // On a busy machine it may have started some before it was marked itself.
    endFirst(pid);
    return browser;
  } catch (error) {
    browser.kill();
    await browser.gone;
    await Promise.race([finished(stderr), setTimeout(OUTPUT_WAIT_MS)]).catch(() => undefined);
    throw new LaunchFailed(error, { output: tail(), endedBy: child.signalCode });
  }
}

/** The signals with which a terminal or a supervisor stops the process group of the server. */
const STOP_SIGNALS: unknown[] = ["SIGTERM", "SIGINT", "SIGHUP"];

/**
 * Starts a browser and waits for its first answer, which takes 20 ms. Until a process that is being spawned has a group of its own, a
 * signal to the server's group ends it too. Requests that were accepted before still need it then, so that it is started once more.
 * @throws LaunchFailed when it ends, cannot be recorded, or does not answer before `signal` aborts; a system error when it cannot be
 * executed
 */
export async function launchBrowser(options: LaunchOptions, signal: AbortSignal): Promise<Browser> {
  return await launchOnce(options, signal).catch((error) => {
    if (error instanceof LaunchFailed && STOP_SIGNALS.includes(error.endedBy)) return launchOnce(options, signal);
    throw error;
  });
}
