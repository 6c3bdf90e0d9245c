import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesOf } from "./traced-files.ts";

/** A function as Vercel puts it together: routes with the same settings, and everything that they load. */
export type VercelFunction = {
  /** The entry of `vercel.json` with its settings, such as `app/**`. */
  name: string;
  /** The built files of its routes and pages, relative to the root of the tree. */
  routes: string[];
  /** All its files, those of `routes` included, relative to the root of the tree. */
  files: Set<string>;
};

/** Runs once in each function, before its first request. */
const INSTRUMENTATION = ".next/server/instrumentation.js";

function readJson<T>(dir: string, file: string): T {
  return JSON.parse(readFileSync(join(dir, file), "utf8")) as T;
}

/** What Vercel adds to the traced files of every function. */
function sharedFiles(dir: string): string[] {
  const { files } = readJson<{ files: string[] }>(dir, ".next/required-server-files.json");
  return [...files, INSTRUMENTATION, ...filesOf(dir, `${INSTRUMENTATION}.nft.json`)];
}

/** `app/api/docs/route` for a source file, and for the file that Next makes of it. */
function routeOf(file: string): string {
  return file.replace(/^\.next\/server\//, "").replace(/\.\w+$/, "");
}

/**
 * Finds the first entry of `vercel.json` for a built file. What Next makes itself, such as the page of a 404, has no source, and
 * counts for the last entry.
 */
function entryFinder(dir: string): (built: string) => string {
  const { functions } = readJson<{ functions: Record<string, unknown> }>(dir, "vercel.json");
  const entries = Object.keys(functions).map((pattern) => {
    return { pattern, routes: new Set(globSync(pattern, { cwd: dir }).map(routeOf)) };
  });
  return (built) => (entries.find(({ routes }) => routes.has(routeOf(built))) ?? entries.at(-1))?.pattern ?? "";
}

/**
 * The functions that Vercel makes of a built tree: it merges routes and pages with the same settings in `vercel.json`.
 * @param dir the root of the tree, with `.next`
 */
export function vercelFunctions(dir: string): VercelFunction[] {
  const shared = sharedFiles(dir);
  const traces = globSync(".next/server/app/**/*.nft.json", { cwd: dir }).toSorted();
  const built = traces.map((trace) => trace.replace(/\.nft\.json$/, ""));
  return Object.entries(Object.groupBy(built, entryFinder(dir))).map(([name, routes = []]) => {
    const traced = routes.flatMap((route) => filesOf(dir, `${route}.nft.json`));
    return { name, routes, files: new Set([...shared, ...routes, ...traced]) };
  });
}
