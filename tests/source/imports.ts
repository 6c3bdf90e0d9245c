import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** What a file imports from this tree, types included, as paths from the root. */
export function importsOf(file: string): string[] {
  const source = readFileSync(file, "utf8");
  return [...source.matchAll(/(?:from|import)\s*\(?\s*"((?:#lib|\.{1,2})\/[^"]+)"/g)].map(([, path = ""]) =>
    path.startsWith("#lib/") ? path.slice(1) : normalize(join(dirname(file), path)).replaceAll("\\", "/"),
  );
}

/** Everything that a file imports, directly or not, without what only the files of `except` import. */
export function reachedFrom(file: string, except: string[] = []): Set<string> {
  const reached = new Set([file]);
  for (const from of reached)
    if (/\.tsx?$/.test(from) && !except.includes(from)) for (const path of importsOf(from)) reached.add(path);
  return reached;
}
