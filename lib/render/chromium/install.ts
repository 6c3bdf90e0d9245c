import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { BUILD_DIR } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { makePrivateFolder } from "#lib/private-folder.ts";
import { ownerTag } from "#lib/processes.ts";
import { browserUnavailable } from "#lib/render/render-faults.ts";
import { hasOtherServers, isLeftover } from "./orphans.ts";
import { bundledFolder, bundledVersion, EXECUTABLE, isUsable, LIBRARIES, unpackInto } from "./unpack.ts";

/** An executable, and the folder of the shared libraries that came with it. */
export type Chromium = { executable: string; libraries: string | undefined };

export type Progress = (message: string) => void;

/** Two processes that start at the same time each replace a bad folder at most once. */
const INSTALL_ATTEMPTS = 3;

const underWay = new Map<string, Promise<void>>();

/** A path beside `target` whose name says which process owns it. */
function siblingOf(target: string, purpose: "partial" | "discarded"): string {
  return `${target}.${purpose}.${ownerTag()}.${randomBytes(4).toString("hex")}`;
}

/** Renames `staging` to `target`. An existing folder is kept if it is usable, and replaced otherwise. */
async function install(staging: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(staging, target);
    } catch (error) {
      if (await isUsable(target)) return await rm(staging, { recursive: true, force: true });
      if (attempt === INSTALL_ATTEMPTS) throw error;
      const discarded = siblingOf(target, "discarded");
      await rename(target, discarded);
      await rm(discarded, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/**
 * Removes other versions, and unfinished folders of processes that have ended. Beside another server, which may be of another
 * version of Platen, other versions stay: the two would remove each other's, again and again.
 */
async function removeLeftovers(dataDir: string, current: string): Promise<void> {
  const isShared = await hasOtherServers(dataDir);
  for (const name of await readdir(dataDir)) {
    const [, base, tag] =
      /^(chromium-[\w.-]+?-(?:x64|arm64))(?:\.(?:partial|discarded)\.([\d-]+)\.[0-9a-f]+)?$/.exec(name) ?? [];
    const path = join(/* turbopackIgnore: true */ dataDir, name);
    if (base === undefined || path === current) continue;
    if (tag === undefined ? isShared : !(await isLeftover(path, tag))) continue;
    await rm(path, { recursive: true, force: true });
  }
}

async function unpackOnce({
  dataDir,
  target,
  version,
  onProgress,
}: {
  dataDir: string;
  target: string;
  version: string;
  onProgress?: Progress | undefined;
}) {
  const startedAt = performance.now();
  onProgress?.(`Unpacking Chromium ${version}`);
  await makePrivateFolder(dataDir);
  const staging = siblingOf(target, "partial");
  await removeLeftovers(dataDir, target).catch(() => undefined);
  await unpackInto(staging);
  try {
    await install(staging, target);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  onProgress?.(`Unpacked Chromium ${version} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}

function chromiumIn(dir: string): Chromium {
  return { executable: join(dir, EXECUTABLE), libraries: join(dir, LIBRARIES) };
}

/**
 * Unpacks the bundled Chromium once per version, into a private folder of the data folder. An existing folder that belongs to
 * another user, is accessible to others, or misses files is replaced, never executed. A standalone
 * folder has it unpacked beside its code, and unpacks nothing.
 * @throws AppError `unavailable` when the data folder cannot be written; the next call tries again
 * @throws AppError `misconfigured` on a machine that the bundled Chromium does not support
 */
export async function prepareChromium({
  dataDir,
  onProgress,
}: {
  dataDir: string;
  onProgress?: Progress | undefined;
}): Promise<Chromium> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    const message = `Got ${process.platform} on ${process.arch}, want Linux on x64 for the bundled Chromium, and found no Chrome, Chromium or Edge. Install one, or set SERVICE_CHROMIUM_PATH to its program.`;
    throw new AppError("misconfigured", message);
  }
  try {
    const version = await bundledVersion();
    const shipped = join(/* turbopackIgnore: true */ BUILD_DIR, bundledFolder(version));
    if (existsSync(join(/* turbopackIgnore: true */ shipped, EXECUTABLE))) return chromiumIn(shipped);
    const target = join(/* turbopackIgnore: true */ dataDir, bundledFolder(version));
    if (!(await isUsable(target))) {
      const pending = underWay.get(target) ?? unpackOnce({ dataDir, target, version, onProgress });
      underWay.set(target, pending);
      await pending.finally(() => underWay.delete(target));
    }
    return chromiumIn(target);
  } catch (error) {
    throw browserUnavailable(error);
  }
}
