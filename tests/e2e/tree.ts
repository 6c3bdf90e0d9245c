import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { BUILD_SOURCES } from "#scripts/build-stamp.ts";

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

/** Starts to build, and kills every process of it at once as soon as Next writes. */
export async function cutBuild(dir: string): Promise<void> {
  const npm = spawn("npm", ["run", "build"], { cwd: dir, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(npm, "exit");
  let output = "";
  npm.stdout.on("data", (chunk) => {
    output += chunk;
  });
  while (!output.includes("Creating an optimized production build")) {
    if (npm.exitCode !== null) throw new Error(`The build ended:\n${output}`);
    await sleep(20);
  }
  process.kill(-(npm.pid as number), "SIGKILL");
  await exited;
  if (!existsSync(join(dir, ".platen", "build.lock"))) throw new Error("The build left no lock.");
}
