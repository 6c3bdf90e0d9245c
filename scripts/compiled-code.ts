import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** Whether a folder is one, is this user's, and nobody else's in any way. */
function isPrivate(dir: string): boolean {
  const found = lstatSync(dir);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o777) === 0o700;
}

/**
 * Keeps what this process compiles, for the next one that runs the same sources, which starts in a fifth less time. What was
 * kept for other sources goes. Whoever writes there has their code run here, so a folder that others may touch is left alone;
 * a disk that cannot be written to is no reason not to start.
 *
 * @param stamp names the sources
 * @returns whether it is kept
 */
export function keepCompiledCode(dataDir: string, stamp: string): boolean {
  const dir = join(dataDir, "compiled-code");
  try {
    for (const folder of [dataDir, dir]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(dir)) return false;
    for (const other of readdirSync(dir).filter((name) => name !== stamp))
      rmSync(join(dir, other), { recursive: true, force: true });
    mkdirSync(join(dir, stamp), { recursive: true, mode: 0o700 });
  } catch {
    return false;
  }
  enableCompileCache(join(dir, stamp));
  return true;
}
