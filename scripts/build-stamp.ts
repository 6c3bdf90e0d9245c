import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BUILD_DIR, PROJECT_DIR, standaloneBuild } from "#lib/config.ts";

/** Everything that a build is made of. Packages count through their lockfile. */
const SOURCES = [
  "app",
  "lib",
  "public",
  "templates",
  "instrumentation.ts",
  "next.config.ts",
  "package-lock.json",
  "package.json",
  "tsconfig.json",
];

const STAMP_FILE = join(BUILD_DIR, "build.stamp");

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Names the exact content that a build of this tree would be made of, whatever the files' dates are. */
export function sourceStamp(): string {
  const hash = createHash("sha256").update(`standalone=${standaloneBuild()}\n`);
  const files = SOURCES.flatMap((source) => filesBelow(join(PROJECT_DIR, source)));
  for (const file of files.toSorted()) {
    const content = readFileSync(file);
    hash.update(`${relative(PROJECT_DIR, file)} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Whether the tree holds a whole build of exactly these sources. */
export function isBuilt(stamp: string): boolean {
  return existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, "utf8") === stamp;
}

/** Says that the build is whole: the last thing that a build does. */
export function writeStamp(stamp: string): void {
  const staging = `${STAMP_FILE}.${process.pid}`;
  writeFileSync(staging, stamp);
  renameSync(staging, STAMP_FILE);
}
