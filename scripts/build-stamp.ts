import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BUILD_DIR, PROJECT_DIR, standaloneBuild } from "#lib/config.ts";

/** Everything that a build is made of, where it is there. Packages count through their lockfile. */
export const BUILD_SOURCES = [
  "app",
  "drizzle",
  "lib",
  "public",
  "templates",
  "instrumentation.ts",
  "next.config.ts",
  "package-lock.json",
  "package.json",
  "postcss.config.mjs",
  "tsconfig.json",
];

/** Differs from build to build, and is gone while Next builds. */
const NEXT_BUILD_FILE = join(PROJECT_DIR, ".next", "BUILD_ID");

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
  const files = BUILD_SOURCES.flatMap((source) => filesBelow(join(PROJECT_DIR, source)));
  for (const file of files.toSorted()) {
    const content = readFileSync(file);
    hash.update(`${relative(PROJECT_DIR, file)} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Whether the tree holds a whole build of exactly these sources, and Next's part is the one that was made with it. */
export function isBuilt(stamp: string): boolean {
  const build = textOf(NEXT_BUILD_FILE);
  return build !== undefined && textOf(STAMP_FILE) === `${stamp} ${build}`;
}

/** Says that there is no whole build: the first thing that a build does, so that one which is cut off counts for nothing. */
export function removeStamp(): void {
  rmSync(STAMP_FILE, { force: true });
}

/** Says that the build is whole: the last thing that a build does. */
export function writeStamp(stamp: string): void {
  const staging = `${STAMP_FILE}.${process.pid}`;
  writeFileSync(staging, `${stamp} ${textOf(NEXT_BUILD_FILE)}`);
  renameSync(staging, STAMP_FILE);
}
