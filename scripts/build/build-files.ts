import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Below the root of a tree: a line for each file of a build, with its size in bytes and its path. */
const LIST = ".platen/build.files";

/** What no start reads, but the next build, development, or the tools of Next. Packages are behind links, and npm checks them. */
const UNREAD =
  /^\.next\/(?:(?:build|cache|dev|diagnostics|node_modules|types)\/|trace)|^\.platen\/build\.|\.(?:map|nft\.json)$/;

/** What another process is writing, with its id in the name. */
const UNFINISHED = /^\.platen\/.*\.\d+(?:-\d+-\d+)?(?:\/|$)/;

function builtFiles(root: string): string[] {
  return [".next", ".platen"]
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !UNREAD.test(path) && !UNFINISHED.test(path));
}

/** Writes the list of a build's files, with which {@link damagedFiles} compares what is there later. */
export function listFiles(root: string): void {
  const lines = builtFiles(root).map((path) => `${lstatSync(join(root, path)).size} ${path}\n`);
  writeFileSync(join(root, LIST), lines.join(""));
}

/** Whether a build has left a list of its files. */
export function hasList(root: string): boolean {
  return existsSync(join(root, LIST));
}

/** The files of a build that are missing or have another size, as in a copy that was cut short. Empty where there is no list. */
export function damagedFiles(root: string): string[] {
  if (!hasList(root)) return [];
  const lines = readFileSync(join(root, LIST), "utf8").split("\n").filter(Boolean);
  return lines.flatMap((line) => {
    const [, size, path = ""] = /^(\d+) (.+)$/.exec(line) ?? [];
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    return found?.size === Number(size) ? [] : [path];
  });
}
