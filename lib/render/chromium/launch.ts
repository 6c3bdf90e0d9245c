import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { killGroup } from "#lib/processes.ts";
import { BrowserLost, LaunchFailed } from "#lib/render/render-faults.ts";
import { CLOSE_TIMEOUT_MS } from "#lib/render/render-limits.ts";
import { shared } from "#lib/render/shared.ts";
import { CdpConnection } from "./cdp.ts";
import { hasSharedMemory, sharedMemoryDir } from "./disk-space.ts";
import { chromiumFlags } from "./flags.ts";
import type { Chromium } from "./install.ts";
import { claimWorkerDir, keepMarked, recordBrowser } from "./orphans.ts";
import { pipeTransport } from "./pipe.ts";

export type LaunchOptions = {
  chromium: Chromium;
  /** The only folder written to. */
  dataDir: string;
  /** Path of the private fontconfig file. */
  fontconfig: string;
  sandboxed: boolean;
};

/** A browser to draw with. Nothing that was started or opened for it is left once `gone` settles. */
export type Browser = {
  /** Of the leader of a process group of its own; undefined for a browser that runs elsewhere. */
  pid: number | undefined;
  /** The part of a shared browser that is ours; undefined for one that is ours alone. */
  contextId: string | undefined;
  /** Folders that must have room for a picture: its own, and the one its processes share memory in. None of a browser that runs elsewhere. */
  needsRoomIn: string[];
  connection: CdpConnection;
  gone: Promise<void>;
  /** Ends it at once: every process of it, or our part of it. */
  kill(): void;
  /** Asks it to end, and kills it when it does not within a second. Resolves once it is gone. */
  close(): Promise<void>;
};

const OUTPUT_TAIL_CHARS = 4_096;

/** What a browser said last may arrive after its exit. */
const OUTPUT_WAIT_MS = 200;

/** Nothing of the server's environment: no secret in it is a browser's business, and no setting may change a picture. */
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

/** A crashing server must leave no browser behind, whatever ends it. */
function killAllAtExit(): void {
  const { browsers } = shared.get();
  for (const pid of browsers.keys()) killGroup(pid);
  for (const dir of browsers.values()) rmSync(dir, { recursive: true, force: true });
}

function register(pid: number, dir: string): void {
  const { browsers } = shared.get();
  if (browsers.size === 0 && !process.listeners("exit").includes(killAllAtExit)) process.on("exit", killAllAtExit);
  browsers.set(pid, dir);
}

type Supervised = { pid: number; dir: string; connection: CdpConnection; sharesOnDisk: boolean };

function superviseBrowser(child: ChildProcess, { pid, dir, connection, sharesOnDisk }: Supervised): Browser {
  const mark = keepMarked(dir);
  const gone = once(child, "exit").then(async ([code, signal]) => {
    // Renderers of a browser that was killed alone may live on for a second.
    killGroup(pid);
    mark.stop();
    connection.close(new BrowserLost(`The browser ended (${signal ?? `code ${code}`}).`));
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }).catch(() => undefined);
    shared.get().browsers.delete(pid);
  });
  const close = async () => {
    connection.root.send("Browser.close").catch(() => undefined);
    await Promise.race([gone, setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    killGroup(pid);
    await gone;
  };
  const needsRoomIn = [dir, sharedMemoryDir(dir, { sharesOnDisk })];
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
  // Detached makes it the leader of a process group, so that all its processes can be killed as one.
  const child = spawn(options.chromium.executable, flags, {
    cwd: dir,
    detached: true,
    // Next declares NODE_ENV as always present; a browser has no use for it.
    env: environmentOf(dir, options) as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, "error");
    throw error;
  }
  // Failing to be signalled is reported here too; its exit tells all there is to know.
  child.on("error", () => undefined);
  register(pid, dir);
  recordBrowser(dir, pid);
  return { child, pid };
}

/**
 * Starts a browser and waits until it answers (20 ms measured).
 * @throws LaunchFailed when it ends or stays silent until `signal` aborts; Error with a code of the system when it cannot be executed
 */
export async function launchBrowser(options: LaunchOptions, signal: AbortSignal): Promise<Browser> {
  const dir = await claimWorkerDir(options.dataDir);
  const sharesOnDisk = !hasSharedMemory();
  const spawned = await spawnIn(dir, { ...options, sharesOnDisk }).catch(async (error) => {
    await rm(dir, { recursive: true, force: true });
    throw error;
  });
  const { child, pid } = spawned;
  const [, , stderr, input, output] = child.stdio as [null, null, Readable, Writable, Readable];
  const tail = keepTail(stderr);
  const connection = new CdpConnection(pipeTransport({ input, output }));
  const browser = superviseBrowser(child, { pid, dir, connection, sharesOnDisk });
  try {
    await connection.root.until(signal).send("Browser.getVersion");
    return browser;
  } catch (error) {
    browser.kill();
    await browser.gone;
    await Promise.race([finished(stderr), setTimeout(OUTPUT_WAIT_MS)]).catch(() => undefined);
    throw new LaunchFailed(error, tail());
  }
}
