import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeployment, PROJECT_DIR, templateFolders } from "#lib/config.ts";
import { packFonts } from "#lib/fonts/archive.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { buildRegistry, compileRegistry, describeFault, isFolder } from "#lib/templates/build-registry.ts";
import { withBuildLock } from "./build/build-lock.ts";
import { isBuilt, removeStamp, sourceStamp, writeStamp } from "./build/build-stamp.ts";
import { requireSmallFunctions } from "./build/traced-size.ts";
import { loadEnvironment } from "./environment.ts";

const NEXT = join(PROJECT_DIR, "node_modules/next/dist/bin/next");

/** Runs a step, and prints its name before and its duration after. */
async function step<T>(what: string, act: () => T | Promise<T>): Promise<T> {
  const startedAt = performance.now();
  console.log(`${what} …`);
  const result = await act();
  console.log(`${what}: done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
}

/** Compiles the templates and prints the fault of each faulty one. The others are served. */
async function buildTemplates(): Promise<void> {
  const { templates, faults } = await buildRegistry();
  console.log(`  ${templates.length} templates`);
  // A folder that is mounted later is checked at start.
  const own = await Promise.all(templateFolders().filter(isFolder).map(compileRegistry));
  for (const fault of [...faults, ...own.flatMap((registry) => registry.faults)])
    console.warn(`  faulty: ${describeFault(fault)}`);
}

/** Runs Next's command line in a process of its own, which prints its progress. @throws Error when it fails */
async function runNext(...args: string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  const child = spawn(process.execPath, [NEXT, ...args], { cwd: PROJECT_DIR, stdio: "inherit", env });
  const stop = () => child.kill("SIGTERM");
  process.once("SIGTERM", stop);
  const [code, signal] = await once(child, "exit");
  process.off("SIGTERM", stop);
  if (code !== 0) throw new Error(`next ${args.join(" ")} ended with ${signal ?? `exit code ${code}`}.`);
}

/** Removes the cache of a failed build, because it would fail the next one too: a module that was missing stays missing. */
async function buildService(): Promise<void> {
  try {
    await runNext("build");
  } catch (error) {
    await rm(join(PROJECT_DIR, ".next"), { recursive: true, force: true });
    throw error;
  }
}

/** @throws Error when a function is too large for Vercel */
function reportFunctions(): void {
  const largest = requireSmallFunctions(PROJECT_DIR);
  if (largest) console.log(`  the largest: ${Math.ceil(largest.bytes / 1e6)} MB, ${largest.route}`);
}

async function build(stamp: string): Promise<void> {
  removeStamp();
  await step("Copying the fonts", () => buildFonts());
  if (isDeployment()) await step("Compressing the fonts", () => packFonts());
  await step("Checking and compiling the templates", buildTemplates);
  await step("Building the service", buildService);
  if (isDeployment()) await step("Measuring the functions", () => reportFunctions());
  writeStamp(stamp);
}

function reportWaiting(pid: number): void {
  console.log(`Waiting for process ${pid}, which is building this tree …`);
}

/** Builds these sources, unless another process builds them while this one waits for the lock. */
export async function buildOnce(stamp: string): Promise<void> {
  await withBuildLock(async () => {
    if (!isBuilt(stamp)) await build(stamp);
  }, reportWaiting);
}

if (process.argv[1] === import.meta.filename) {
  loadEnvironment("production");
  await withBuildLock(() => build(sourceStamp()), reportWaiting);
}
