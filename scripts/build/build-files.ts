import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * Below the root of a tree: a line for each file of a build, with what tells it from a damaged one and its path, and a line that ends the
 * list.
 */
export const FILE_LIST = ".platen/build.files";

const END = "end";

/** What a start reads of a build. Commands leave other files in these folders too. */
const READ =
  /^\.next\/(?:(?:server|static)\/|BUILD_ID$|[\w-]+\.json$)|^\.platen\/(?:(?:templates|fonts)\.json$|fonts\/[0-9a-f]+[./](?!\d+-)|standalone\.stamp$|chromium-)/;

/** What only a build and the tools of Next read. */
const UNREAD = /\.(?:map|nft\.json|zst)$/;

/** Links to packages. Some programs leave them out of a copy, or replace them with the package. */
const PACKAGE = /^\.next\/node_modules\/(?:@[^/]+\/)?[^@/][^/]*$/;

/** Commands write the compiled templates of other sources, which are as long if only a colour differs. */
const REWRITTEN = /^\.platen\/[^/]+\.json$/;

function builtFiles(root: string): string[] {
  const entries = [".next", ".platen"]
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .map((entry) => ({ entry, path: relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/") }));
  const isBuilt = ({ entry, path }: (typeof entries)[number]) =>
    entry.isFile() ? READ.test(path) && !UNREAD.test(path) : entry.isSymbolicLink() && PACKAGE.test(path);
  return entries.filter(isBuilt).map(({ path }) => path);
}

/** What tells a file from a damaged one: a hash of its content, or its size in bytes. Undefined where it is missing. */
function markOf(root: string, path: string): string | undefined {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (PACKAGE.test(path)) return found && "package";
  if (!found?.isFile() || !REWRITTEN.test(path)) return found && String(found.size);
  return createHash("sha256")
    .update(readFileSync(join(root, path)))
    .digest("hex");
}

/** Writes the list of a build's files, with which {@link damagedFiles} compares what is there later. @returns their paths */
export function listFiles(root: string): string[] {
  const files = builtFiles(root);
  writeFileSync(join(root, FILE_LIST), [...files.map((path) => `${markOf(root, path)} ${path}`), END].join("\n"));
  return files;
}

/** The lines of a list. Undefined where there is none, or a copy of it was cut short. */
function readList(root: string): string[] | undefined {
  const file = join(root, FILE_LIST);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.pop() === END ? lines : undefined;
}

/** The files of a build that are missing or differ, as in a copy that was cut short. The list may be one of them. */
export function damagedFiles(root: string): string[] {
  const lines = readList(root);
  if (lines === undefined) return [FILE_LIST];
  return lines.flatMap((line) => {
    const space = line.indexOf(" ");
    const path = line.slice(space + 1);
    return markOf(root, path) === line.slice(0, space) ? [] : [path];
  });
}
