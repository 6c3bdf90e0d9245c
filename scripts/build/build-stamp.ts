import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { BUILD_DIR, PROJECT_DIR } from "#lib/config.ts";
import { damagedFiles, FILE_LIST, listFiles } from "./build-files.ts";

/** Everything that a build depends on; what does not exist counts as empty. Packages count through the lockfile. */
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

/** Next writes it at the end of a build, with another content each time, and removes it at the beginning. */
const NEXT_BUILD_FILE = join(PROJECT_DIR, ".next", "BUILD_ID");

const STAMP_FILE = join(BUILD_DIR, "build.stamp");

/** The stamp of a build that has begun. It is still there after a build that was killed. */
const BEGUN = "begun";

/** The stamp of a complete build. A power failure may leave an empty one. */
const COMPLETE = /^[0-9a-f]{64} \S+$/;

/** In the build folder of a standalone folder: the stamp of its sources, which it does not contain. */
export const SEAL_FILE = "standalone.stamp";

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/**
 * Whether this tree is a standalone folder (`npm run build -- --standalone`), in which nothing can be built. A copy of one that was cut
 * short may have no seal.
 */
export function isStandalone(): boolean {
  return existsSync(join(BUILD_DIR, SEAL_FILE)) || !existsSync(join(PROJECT_DIR, "next.config.ts"));
}

/** A hash of the content of all sources. Dates of files do not count. */
export function sourceStamp(): string {
  const seal = textOf(join(BUILD_DIR, SEAL_FILE));
  if (seal !== undefined) return seal;
  const hash = createHash("sha256");
  const files = BUILD_SOURCES.flatMap((source) => filesBelow(join(PROJECT_DIR, source)));
  for (const file of files.toSorted()) {
    const content = readFileSync(file);
    hash.update(`${relative(PROJECT_DIR, file)} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Whether a build of exactly these sources has ended here, Next's part included, whatever became of its files. */
export function hasEnded(stamp: string): boolean {
  const build = textOf(NEXT_BUILD_FILE);
  return build !== undefined && textOf(STAMP_FILE) === `${stamp} ${build}`;
}

/** Whether the tree holds a complete build of exactly these sources. */
export function isBuilt(stamp: string): boolean {
  return hasEnded(stamp) && damagedFiles(PROJECT_DIR).length === 0;
}

function replaceStamp(text: string): void {
  const staging = `${STAMP_FILE}.${process.pid}`;
  writeFileSync(staging, text);
  renameSync(staging, STAMP_FILE);
}

/** Whether the last build of this tree was killed or failed, or what it has written of Next is damaged. */
export function isCut(): boolean {
  const stamp = textOf(STAMP_FILE);
  if (stamp === undefined) return false;
  return !COMPLETE.test(stamp) || damagedFiles(PROJECT_DIR).some((path) => path.startsWith(".next/"));
}

/** Marks the tree as not built. A build starts with this, so that an interrupted one does not count. */
export function beginStamp(): void {
  replaceStamp(BEGUN);
}

/** Waits until a file is on the disk. Windows does so only for a file that is open for writing. */
function flush(path: string): void {
  const file = openSync(path, process.platform === "win32" ? "r+" : "r");
  fsyncSync(file);
  closeSync(file);
}

/**
 * Marks the build as complete. A build ends with this. Its files are on the disk before: a file system may keep the stamp over a
 * power failure and lose what was written half a minute earlier.
 */
export function writeStamp(stamp: string): void {
  for (const path of [...listFiles(PROJECT_DIR), FILE_LIST]) flush(join(PROJECT_DIR, path));
  replaceStamp(`${stamp} ${textOf(NEXT_BUILD_FILE)}`);
}
