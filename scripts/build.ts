import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { isDeployment, PROJECT_DIR, templateFolders } from "#lib/config.ts";
import { explainFileFault } from "#lib/file-faults.ts";
import { packFonts } from "#lib/fonts/archive.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { log } from "#lib/log.ts";
import { buildRegistry, compileRegistry, describeFault, isFolder } from "#lib/templates/build-registry.ts";
import { withBuildLock } from "./build/build-lock.ts";
import { beginStamp, isBuilt, isCut, sourceStamp, writeStamp } from "./build/build-stamp.ts";
import { compressStatic } from "./build/compress-static.ts";
import type { writeStandalone } from "./build/standalone.ts";
import { requireOneRenderer, requireSmallFunctions } from "./build/traced-size.ts";
import { loadEnvironment } from "./environment.ts";
import { asFollower } from "./parent-end.ts";

const NEXT = join(PROJECT_DIR, "node_modules/next/dist/bin/next");

/** What Next has written, its cache for later builds included. */
const NEXT_OUTPUT = join(PROJECT_DIR, ".next");

/** How often a step tells that it still runs, in milliseconds. */
const STILL_RUNS_MS = 10_000;

/** Runs a step, and logs its name before, its duration after, and meanwhile that it runs. */
async function step<T>(what: string, act: () => T | Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  log().info(`${what} …`);
  const timer = setInterval(() => log().info(`${what}: ${seconds()} s so far`), STILL_RUNS_MS);
  try {
    return await act();
  } finally {
    clearInterval(timer);
    log().info(`${what}: took ${seconds()} s`);
  }
}

/** Compiles the templates and logs the fault of each faulty one. The others are served. */
async function buildTemplates(): Promise<void> {
  const { templates, faults } = await buildRegistry();
  log().info(`${templates.length} templates`);
  // A folder that is mounted later is checked at start.
  const own = await Promise.all(templateFolders().filter(isFolder).map(compileRegistry));
  for (const fault of [...faults, ...own.flatMap((registry) => registry.faults)])
    log().warn({ fault: describeFault(fault) }, "A template is faulty and not served.");
}

/** What Next prints of its progress. Its notices and its table of routes are left out. */
const PROGRESS = /^(?:Creating an optimized|Compiled|Collecting|Generating|Finalizing)/;

/** SIGTERM arrived during the build. */
class BuildStopped extends Error {
  override name = "BuildStopped";
}

/** Ends this process by SIGTERM if that is what stopped the build, as it would have ended without a build. */
export async function endIfStopped(error: unknown): Promise<void> {
  if (!(error instanceof BuildStopped)) return;
  log().info(error.message);
  process.kill(process.pid, "SIGTERM");
  await once(process, "exit");
}

/** Runs Next's command line in a process of its own. @throws Error with what it printed when it fails; BuildStopped */
async function runNext(...args: string[]): Promise<void> {
  const follower = asFollower([NEXT, ...args], {
    ...process.env,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
  });
  const child = spawn(process.execPath, follower.args, {
    cwd: PROJECT_DIR,
    stdio: ["ignore", "pipe", "pipe"],
    env: follower.env,
  });
  const printed: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on("line", (line) => {
      const text = stripVTControlCharacters(line).trimEnd();
      printed.push(text);
      const progress = text.replace(/^[\s✓]+/, "");
      if (PROGRESS.test(progress)) log().info(progress);
    });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill("SIGTERM");
  };
  // npm passes on a SIGTERM that the whole process group has, so that it arrives twice.
  process.on("SIGTERM", stop);
  const [code, signal] = await once(child, "close");
  process.off("SIGTERM", stop);
  if (isStopped) throw new BuildStopped("SIGTERM: stopped during the build. The next start builds again.");
  if (code !== 0)
    throw new Error(`next ${args.join(" ")} ended with ${signal ?? `exit code ${code}`}:\n${printed.join("\n")}`);
}

/**
 * Removes what Next has written of a build that failed or was killed, because it would fail the next one too: a module that was missing
 * stays missing, and Next cannot read a file of its own that was cut while it was written.
 */
async function removeCutBuild(): Promise<void> {
  await rm(NEXT_OUTPUT, { recursive: true, force: true });
}

/** Builds, and builds again from nothing where what an earlier build has left may be the reason of a failure. */
async function buildService(): Promise<void> {
  const hadEarlier = existsSync(NEXT_OUTPUT);
  try {
    await runNext("build");
  } catch (error) {
    await removeCutBuild();
    if (!hadEarlier || error instanceof BuildStopped) throw error;
    log().warn(
      { err: error },
      "The build failed. It is repeated without the cache of earlier builds, which may be damaged.",
    );
    await buildService();
  }
}

/** @throws Error when a function is too large for Vercel, or lacks what it renders with */
function reportFunctions(): void {
  const functions = requireSmallFunctions(PROJECT_DIR);
  requireOneRenderer(functions);
  for (const { name, bytes } of functions) log().info(`${Math.ceil(bytes / 1e6)} MB: ${name}`);
}

async function build(stamp: string): Promise<void> {
  if (isCut()) await removeCutBuild();
  beginStamp();
  await step("Copying the fonts", () => buildFonts());
  if (isDeployment()) await step("Compressing the fonts", () => packFonts());
  await step("Checking and compiling the templates", buildTemplates);
  await step("Building the service", buildService);
  await step("Compressing scripts and style sheets", () => compressStatic(join(PROJECT_DIR, ".next/static")));
  if (isDeployment()) await step("Measuring the functions", () => reportFunctions());
  writeStamp(stamp);
}

function reportWaiting(pid: number): void {
  log().info(`Waiting for process ${pid}, which is building this tree …`);
}

/** Builds these sources, unless another process builds them while this one waits for the lock. */
export async function buildOnce(stamp: string): Promise<void> {
  await withBuildLock(() => buildUnlessBuilt(stamp), reportWaiting);
}

async function buildUnlessBuilt(stamp: string): Promise<void> {
  if (!isBuilt(stamp)) await build(stamp);
}

type Standalone = { out: string; build?: typeof buildUnlessBuilt; write?: typeof writeStandalone };

/**
 * Writes a folder that runs by itself, after a build if there is none of these sources. The lock is held until the folder is whole:
 * another build would change what is copied, and another run into the same folder would remove its files.
 */
export async function buildStandalone({ out, build = buildUnlessBuilt, write }: Standalone): Promise<void> {
  const standalone = await import("./build/standalone.ts");
  await standalone.refuseOther(out);
  const stamp = sourceStamp();
  await withBuildLock(async () => {
    await build(stamp);
    await step(`Writing ${out}`, () => (write ?? standalone.writeStandalone)(out, stamp));
  }, reportWaiting);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { standalone: { type: "boolean" }, out: { type: "string", default: "dist" } },
  });
  loadEnvironment("production");
  if (values.standalone) await buildStandalone({ out: resolve(values.out) });
  else await withBuildLock(() => build(sourceStamp()), reportWaiting);
}

if (process.argv[1] === import.meta.filename) {
  try {
    await main();
  } catch (error) {
    await endIfStopped(error);
    const fault = explainFileFault(error);
    log().fatal(fault ? {} : { err: error }, `The build failed.${fault ? ` ${fault}` : ""}`);
    process.exitCode = 1;
  }
}
