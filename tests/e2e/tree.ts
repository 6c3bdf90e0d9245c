import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILD_SOURCES } from "#scripts/build/build-stamp.ts";
import { copyFonts } from "#tests/fonts/copy-fonts.ts";
import { spawnGroup } from "#tests/process-group.ts";

/** The sources of a build, and the scripts that build. */
const SOURCES = [...BUILD_SOURCES, "scripts"].filter((source) => existsSync(source));

/** The routes that the tests of a build use. `/readyz` says whether the server can render, or why not. */
const USED_ROUTES = /^app\/(?:healthz|readyz)\//;

const USED_TEMPLATE = "templates/social/quote";

/**
 * Whether a file is a page, or a route or a template that these tests do not use. Pages take most of the time of a build, and
 * each template half a second.
 */
function isLeftOut(source: string): boolean {
  if (/^templates\/[\w-]+\/[\w-]+$/.test(source)) return source !== USED_TEMPLATE;
  return /^app\/.*\.(?:tsx|css)$/.test(source) || (/^app\/.*\/route\.ts$/.test(source) && !USED_ROUTES.test(source));
}

/**
 * Copies the sources without a build, as in a fresh clone, but with probes only, and one template. The copy is inside this tree and
 * uses its packages and fonts.
 */
export function copyTree(): string {
  mkdirSync(resolve(".data"), { recursive: true });
  const dir = mkdtempSync(resolve(".data", "tree-"));
  const filter = (source: string) => !isLeftOut(source);
  for (const source of SOURCES) cpSync(source, join(dir, source), { recursive: true, filter });
  symlinkSync(resolve("node_modules"), join(dir, "node_modules"));
  copyFonts(dir);
  return dir;
}

export function removeTree(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Whether `npm start` would serve this tree without building it. */
export function isBuilt(dir: string): boolean {
  const module = pathToFileURL(join(dir, "scripts", "build", "build-stamp.ts")).href;
  const script = `import { isBuilt, sourceStamp } from ${JSON.stringify(module)}; console.log(isBuilt(sourceStamp()));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: dir, encoding: "utf8" });
  return output.trim() === "true";
}

/** Starts a build, and sends a signal to all its processes when Next begins to write. @returns what it printed */
export async function signalBuild(dir: string, signal: NodeJS.Signals): Promise<string> {
  const env = { ...process.env, SERVICE_LOG_LEVEL: "info" };
  const npm = spawnGroup(["npm", "run", "build"], { cwd: dir, env });
  const closed = once(npm, "close");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = "";
  npm.stderr.resume();
  npm.stdout.on("data", (chunk) => {
    output += chunk;
    if (output.includes("Creating an optimized production build")) resolve();
  });
  npm.once("close", () => reject(new Error(`The build ended too early:\n${output}`)));
  await promise;
  process.kill(-(npm.pid as number), signal);
  await closed;
  return output;
}

/** Kills a build when Next begins to write. */
export async function cutBuild(dir: string): Promise<void> {
  await signalBuild(dir, "SIGKILL");
  if (!existsSync(join(dir, ".platen", "build.lock"))) throw new Error("The build left no lock.");
}
