import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { buildFonts } from "#lib/fonts/build.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { rendering } from "#lib/render/render.ts";
import { SOON_MS } from "#tests/pace.ts";

/** The data folder that tests share, so that Chromium is unpacked once. */
export const SHARED_DATA_DIR = resolve(".data");

/** Prepares fonts and Chromium, as a start of the server does. */
export async function prepareMachine(): Promise<void> {
  buildFonts();
  await prepareChromium({ dataDir: SHARED_DATA_DIR });
}

export function emptyDataDir(): string {
  mkdirSync(SHARED_DATA_DIR, { recursive: true });
  return mkdtempSync(join(SHARED_DATA_DIR, "test-"));
}

/** A new data folder that contains Chromium, by hard links. */
export async function ownDataDir(): Promise<string> {
  const { executable } = await prepareChromium({ dataDir: SHARED_DATA_DIR });
  const source = dirname(executable);
  const dir = emptyDataDir();
  const target = join(dir, source.slice(SHARED_DATA_DIR.length));
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const to = join(target, entry.parentPath.slice(source.length), entry.name);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    if (entry.isFile()) linkSync(join(entry.parentPath, entry.name), to);
  }
  return dir;
}

export function removeDir(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Names of the worker folders in a data folder. */
export function workerDirs(dataDir: string): string[] {
  return existsSync(join(dataDir, "workers")) ? readdirSync(join(dataDir, "workers")) : [];
}

/** Process number of the first browser of this process. */
export function browserPid(): number {
  const [pid] = rendering.get().pids;
  if (pid === undefined) throw new Error("No browser runs.");
  return pid;
}

/** Running members of a process group, without zombies. */
export function groupMembers(leader: number): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,pgid=,stat="], { encoding: "utf8" }).trim().split("\n");
  const rows = lines.map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([pid, group, state]) =>
    Number(group) === leader && !state?.startsWith("Z") ? [Number(pid)] : [],
  );
}

/** Zombies among the children of this process. */
export function zombies(): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,stat="], { encoding: "utf8" }).trim().split("\n");
  const rows = lines.map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([pid, parent, state]) =>
    Number(parent) === process.pid && state?.startsWith("Z") ? [Number(pid)] : [],
  );
}

/** Running processes whose command line contains this text. */
export function processesNaming(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && commandLine(pid).includes(text));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Waits until `condition` holds. @throws Error after {@link SOON_MS} */
export async function eventually(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + SOON_MS; performance.now() < end; await setTimeout(10)) {
    if (condition()) return;
  }
  throw new Error(`Not within ${SOON_MS} ms: ${condition}`);
}

export async function pixelsOf(png: Buffer): Promise<Buffer> {
  return await sharp(png).removeAlpha().raw().toBuffer();
}

/** The colour of one pixel as #rrggbb. */
export async function colorAt(png: Buffer, { x, y }: { x: number; y: number }): Promise<string> {
  const pixel = await sharp(png).removeAlpha().extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer();
  return `#${pixel.toString("hex")}`;
}

/** A server on the loopback address that counts every connection. */
export async function watchLoopback(): Promise<{ origin: string; hits: string[]; close(): Promise<void> }> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(String(request.url));
    response.end("body{background:red}");
  });
  server.on("connection", () => hits.push("connection"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hits, close };
}

export type Server = { child: ChildProcess; pid: number; browserPid: number };

/** A separate process that renders, as a server does. */
export async function startServer(dataDir: string, env: Record<string, string> = {}): Promise<Server> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve("./server-process.ts"))], {
    env: { ...process.env, ...env, SERVICE_DATA_DIR: dataDir },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The server ended with ${code}.`);
  });
  const [line] = await Promise.race([once(lines, "line"), ended]);
  ended.catch(() => undefined);
  return { child, pid: child.pid ?? 0, browserPid: JSON.parse(line).browserPid };
}
