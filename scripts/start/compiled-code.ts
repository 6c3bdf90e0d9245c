import { mkdir, readdir, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { isPrivateFolder } from "#lib/private-folder.ts";

/**
 * Keeps compiled code on disk, so that the next start of the same sources takes a fifth less time. Code of other sources is
 * deleted. A folder that other users may write to is not used, because its content would be run here. A disk that cannot be
 * written to does not stop the start.
 *
 * @param stamp identifies the sources
 * @returns whether compiled code is kept
 */
export async function keepCompiledCode(dataDir: string, stamp: string): Promise<boolean> {
  const dir = join(dataDir, "compiled-code");
  try {
    for (const folder of [dataDir, dir]) await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await isPrivateFolder(dir))) return false;
    const others = (await readdir(dir)).filter((name) => name !== stamp);
    await Promise.all(others.map((name) => rm(join(dir, name), { recursive: true, force: true })));
    await mkdir(join(dir, stamp), { recursive: true, mode: 0o700 });
  } catch {
    return false;
  }
  enableCompileCache(join(dir, stamp));
  return true;
}
