import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type VercelFunction, vercelFunctions } from "./vercel-functions.ts";

/** Vercel refuses a function of more than 250 MB. The rest is room for growth. */
export const FUNCTION_LIMIT_BYTES = 210_000_000;

/** How many of the largest parts the message of a too large function names. */
const NAMED_PARTS = 8;

export type SizedFunction = VercelFunction & { bytes: number };

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

function sizeOf(dir: string, file: string): number {
  const stats = lstatSync(join(dir, file), { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}

/** A package, or a folder of the tree. */
function partOf(file: string): string {
  return /^node_modules\/(?:@[^/]+\/)?[^/]+|^\.[^/]+\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file;
}

/** The size of each function of a built tree, uncompressed as Vercel counts it, the largest first. */
export function sizedFunctions(dir: string): SizedFunction[] {
  const functions = vercelFunctions(dir).map((one) => {
    return { ...one, bytes: [...one.files].reduce((sum, file) => sum + sizeOf(dir, file), 0) };
  });
  return functions.toSorted((a, b) => b.bytes - a.bytes);
}

/** The largest parts of a function, such as `node_modules/next 31 MB`. */
function largestParts(dir: string, { files }: VercelFunction): string[] {
  const sizes = new Map<string, number>();
  for (const file of files) sizes.set(partOf(file), (sizes.get(partOf(file)) ?? 0) + sizeOf(dir, file));
  const largest = [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, NAMED_PARTS);
  return largest.map(([part, bytes]) => `${part} ${megabytes(bytes)}`);
}

/** @throws Error when a function of a built tree is larger than {@link FUNCTION_LIMIT_BYTES}, with its largest parts */
export function requireSmallFunctions(dir: string): SizedFunction[] {
  const functions = sizedFunctions(dir);
  const [largest] = functions;
  if (largest && largest.bytes > FUNCTION_LIMIT_BYTES) {
    const [got, want] = [largest.bytes, FUNCTION_LIMIT_BYTES].map(megabytes);
    const parts = largestParts(dir, largest).join(", ");
    throw new Error(
      `The function of ${largest.name} has ${got}, want at most ${want}. Its largest parts: ${parts}. See outputFileTracingIncludes in next.config.ts.`,
    );
  }
  return functions;
}

/**
 * The function that renders: the only one with Chromium and the compressed fonts.
 * @throws Error when none has them, or more than one
 */
export function requireOneRenderer(functions: VercelFunction[]): VercelFunction {
  const having = (end: string) => functions.filter(({ files }) => [...files].some((file) => file.endsWith(end)));
  const [chromium, fonts] = [having("/chromium.br"), having(".tar.zst")];
  const [renderer] = chromium;
  if (renderer && chromium.length === 1 && fonts.length === 1 && fonts[0] === renderer) return renderer;
  const names = (found: VercelFunction[]) => found.map(({ name }) => name).join(" and ") || "no function";
  throw new Error(
    `Chromium is in ${names(chromium)}, the fonts are in ${names(fonts)}, want both in one function. Compare vercel.json with RENDERING_ROUTES in next.config.ts.`,
  );
}
