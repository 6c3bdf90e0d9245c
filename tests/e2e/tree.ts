import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILD_SOURCES } from "#scripts/build-stamp.ts";
import { spawnGroup } from "./process-group.ts";

/** What the service is made of: what a build is, and what builds. */
const SOURCES = [...BUILD_SOURCES, "scripts"].filter((source) => existsSync(source));

/** A copy of the sources as a clone has them, never built. It lies below this tree, whose packages it uses. */
export function copyTree(): string {
  mkdirSync(resolve(".data"), { recursive: true });
  const dir = mkdtempSync(resolve(".data", "tree-"));
  for (const source of SOURCES) cpSync(source, join(dir, source), { recursive: true });
  symlinkSync(resolve("node_modules"), join(dir, "node_modules"));
  return dir;
}

export function removeTree(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Whether a start of this tree would serve what is there rather than build. */
export function isBuilt(dir: string): boolean {
  const module = pathToFileURL(join(dir, "scripts", "build-stamp.ts")).href;
  const script = `import { isBuilt, sourceStamp } from ${JSON.stringify(module)}; console.log(isBuilt(sourceStamp()));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: dir, encoding: "utf8" });
  return output.trim() === "true";
}

/** Starts a build, and kills all its processes when Next begins to write. */
export async function cutBuild(dir: string): Promise<void> {
  const npm = spawnGroup(["npm", "run", "build"], { cwd: dir });
  const exited = once(npm, "exit");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = "";
  npm.stderr.resume();
  npm.stdout.on("data", (chunk) => {
    output += chunk;
    if (output.includes("Creating an optimized production build")) resolve();
  });
  npm.once("close", () => reject(new Error(`The build ended too early:\n${output}`)));
  await promise;
  process.kill(-(npm.pid as number), "SIGKILL");
  await exited;
  if (!existsSync(join(dir, ".platen", "build.lock"))) throw new Error("The build left no lock.");
}
