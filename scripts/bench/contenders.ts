import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROJECT_DIR } from "#lib/config.ts";
import manifest from "../../package.json" with { type: "json" };
import { type Draw, fetchPng } from "./load.ts";

const BENCH_DIR = join(PROJECT_DIR, "scripts/bench");
const PEERS_DIR = join(BENCH_DIR, "peers");
const START_TIMEOUT_MS = 60_000;
const PROBE_PAUSE_MS = 20;
const PROBE_TIMEOUT_MS = 5_000;

export type Contender = { name: string; note: string; draw: Draw };

/** A TCP port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

type Server = { origin: string; end(): Promise<void> };

type ServerOptions = { args: string[]; cwd: string; env: Record<string, string>; path: string };

/** Runs a server with this Node on a free port until `path` of it answers. @throws Error when it never does, with nothing left running */
async function startServer({ args, cwd, env, path }: ServerOptions): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), HOST: "127.0.0.1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output = (output + chunk).slice(-2_000)));
  const ended = once(child, "exit");
  const end = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  const isServing = () =>
    fetch(origin + path, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = performance.now() + START_TIMEOUT_MS; ; await sleep(PROBE_PAUSE_MS)) {
    if (await isServing()) return { origin, end };
    if (child.exitCode === null && performance.now() < deadline) continue;
    await end();
    throw new Error(`"node ${args.join(" ")}" does not serve:\n${output}`);
  }
}

/** Installs the other contenders if necessary, and builds them. */
function preparePeers(): void {
  const options = { cwd: PEERS_DIR, stdio: ["ignore", "ignore", "inherit"] as ["ignore", "ignore", "inherit"] };
  if (!existsSync(join(PEERS_DIR, "node_modules"))) {
    console.error("Installing the other contenders …");
    execFileSync("npm", ["ci"], options);
  }
  console.error("Building the other contenders …");
  execFileSync(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
    ...options,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...peersEnvironment() },
  });
}

function peersEnvironment(): Record<string, string> {
  return { BENCH_FONT_DIR: join(PROJECT_DIR, "node_modules/@expo-google-fonts/inter") };
}

/** Next reads the port from PORT, as Platen does. */
function startPeers(): Promise<Server> {
  return startServer({
    args: ["node_modules/next/dist/bin/next", "start"],
    cwd: PEERS_DIR,
    env: peersEnvironment(),
    path: "/og",
  });
}

/** The arguments of Node in `npm start`, which is `exec node …`. */
const START = manifest.scripts.start.split(" ").slice(2);

/** Starts the service with the cards as its templates. @param path must answer before it counts as started */
export function startPlatenWith(env: Record<string, string>, path = "/readyz"): Promise<Server> {
  const common = { SERVICE_TEMPLATES_DIR: join(BENCH_DIR, "templates"), SERVICE_LOG_LEVEL: "warn" };
  return startServer({ args: START, cwd: PROJECT_DIR, env: { ...common, ...env }, path });
}

/** The service in open mode. @param path as in {@link startPlatenWith} */
export function startPlaten(png: string, path?: string): Promise<Server> {
  return startPlatenWith({ SERVICE_RENDER_PNG: png, SERVICE_AUTH_ENABLED: "" }, path);
}

export function drawByPlaten({ origin }: Server): Draw {
  const url = `${origin}/api/service/images/render`;
  return (card, title) => fetchPng({ url, body: JSON.stringify({ template: `bench/${card}`, data: { title } }) });
}

/** The same picture each time, which is answered from memory after the first. */
function drawTheSame(server: Server): Draw {
  const draw = drawByPlaten(server);
  return (card) => draw(card, "The same");
}

function drawByPeer({ origin }: Server, route: string): Draw {
  return (card, title) => fetchPng({ url: `${origin}/${route}?card=${card}&title=${encodeURIComponent(title)}` });
}

/** The V8 flags of the service, so that a difference in garbage collection is not measured. */
const V8_FLAGS = manifest.scripts.start.match(/--(?:max-semi-space-size|heap-growing-percent)=\d+/g) ?? [];

/** Workers without HTTP, template checks or a second compression. */
async function startBareWorkers(): Promise<{ draw: Draw; end(): Promise<void> }> {
  const child = spawn(process.execPath, [...V8_FLAGS, join(BENCH_DIR, "bare-workers.ts")], {
    cwd: PROJECT_DIR,
    env: { ...process.env, SERVICE_LOG_LEVEL: "error" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  const waiting = new Map<string, (png: Buffer) => void>();
  child.on("message", ({ title, png }: { title: string; png: Uint8Array }) => {
    waiting.get(title)?.(Buffer.from(png));
    waiting.delete(title);
  });
  const draw: Draw = (card, title) => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    waiting.set(title, resolve);
    child.send({ card, title });
    return promise;
  };
  const end = async () => {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  };
  return { draw, end };
}

/** Starts all contenders. They run at the same time and are measured one after the other. */
export async function startContenders(): Promise<{ contenders: Contender[]; stop(): Promise<void> }> {
  preparePeers();
  const running: (() => Promise<void>)[] = [];
  const keep = async <T>(started: Promise<T & { end(): Promise<void> }>) => {
    const contender = await started;
    running.push(contender.end);
    return contender;
  };
  const stop = async () => {
    for (const end of running) await end();
  };
  try {
    const fast = await keep(startPlaten("fast"));
    const balanced = await keep(startPlaten("balanced"));
    const peers = await keep(startPeers());
    const bare = await keep(startBareWorkers());
    const contenders = [
      { name: "Platen, fast", note: "HTTP", draw: drawByPlaten(fast) },
      { name: "Platen, balanced", note: "HTTP", draw: drawByPlaten(balanced) },
      { name: "Platen, a repeat", note: "HTTP, from memory", draw: drawTheSame(balanced) },
      { name: "bare workers", note: "no HTTP", draw: bare.draw },
      { name: "Takumi", note: "Next route", draw: drawByPeer(peers, "takumi") },
      { name: "next/og", note: "Next route", draw: drawByPeer(peers, "og") },
      { name: "puppeteer, new page", note: "Next route", draw: drawByPeer(peers, "new-page") },
      { name: "puppeteer, launch", note: "Next route", draw: drawByPeer(peers, "launch") },
    ];
    return { contenders, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
