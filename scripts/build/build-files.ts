import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Below the root of a tree: a line for each file of a build, with its size in bytes and its path, and a line that ends the list. */
export const FILE_LIST = ".platen/build.files";

const END = "end";

/** What a start reads of a build. Commands leave other files in these folders too. */
const READ =
  /^\.next\/(?:(?:server|static)\/|BUILD_ID$|[\w-]+\.json$)|^\.platen\/(?:(?:templates|fonts)\.json$|fonts\/[0-9a-f]+[./](?!\d+-)|standalone\.stamp$|chromium-)/;

/** What only a build and the tools of Next read. */
const UNREAD = /\.(?:map|nft\.json|zst)$/;

function builtFiles(root: string): string[] {
  return [".next", ".platen"]
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => READ.test(path) && !UNREAD.test(path));
}

/** Writes the list of a build's files, with which {@link damagedFiles} compares what is there later. @returns their paths */
export function listFiles(root: string): string[] {
  const files = builtFiles(root);
  const lines = files.map((path) => `${statSync(join(root, path)).size} ${path}`);
  writeFileSync(join(root, FILE_LIST), [...lines, END].join("\n"));
  return files;
}

/** The lines of a list. Undefined where there is none, or a copy of it was cut short. */
function readList(root: string): string[] | undefined {
  const file = join(root, FILE_LIST);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.pop() === END ? lines : undefined;
}

/** The files of a build that are missing or have another size, as in a copy that was cut short. The list may be one of them. */
export function damagedFiles(root: string): string[] {
  const lines = readList(root);
  if (lines === undefined) return [FILE_LIST];
  return lines.flatMap((line) => {
    const space = line.indexOf(" ");
    const path = line.slice(space + 1);
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return found?.size === Number(line.slice(0, space)) ? [] : [path];
  });
}
