import { globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Vercel refuses a function of more than 250 MB. The rest is room for Next's own runtime and for growth. */
export const FUNCTION_LIMIT_BYTES = 210_000_000;

export type TracedFunction = { route: string; bytes: number };

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}

/**
 * The size of the files that Next traced for each route of a built tree, largest first. Vercel puts them into one function.
 * @param dir the root of the tree, with `.next`
 */
export function tracedFunctions(dir: string): TracedFunction[] {
  const routes = globSync(".next/server/app/**/*.nft.json", { cwd: dir });
  const functions = routes.map((route) => {
    const path = join(dir, route);
    const { files } = JSON.parse(readFileSync(path, "utf8")) as { files: string[] };
    const traced = new Set(files.map((file) => resolve(dirname(path), file)));
    return { route, bytes: [...traced].reduce((sum, file) => sum + sizeOf(file), 0) };
  });
  return functions.toSorted((a, b) => b.bytes - a.bytes);
}

/** @throws Error when a function of a built tree is larger than {@link FUNCTION_LIMIT_BYTES} */
export function requireSmallFunctions(dir: string): TracedFunction | undefined {
  const [largest] = tracedFunctions(dir);
  if (largest && largest.bytes > FUNCTION_LIMIT_BYTES) {
    const [got, want] = [largest.bytes, FUNCTION_LIMIT_BYTES].map((bytes) => Math.ceil(bytes / 1e6));
    const message = `${largest.route} traces ${got} MB, want at most ${want} MB. See outputFileTracingIncludes in next.config.ts.`;
    throw new Error(message);
  }
  return largest;
}
