import { createReadStream, createWriteStream, existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { extract, pack } from "tar-fs";
import { isPrivateFolder, makePrivateFolder } from "#lib/private-folder.ts";
import { ownerState, ownerTag } from "#lib/processes.ts";
import { currentFonts, type FontSet } from "./font-set.ts";

/** Level 16 takes ten times as long and saves 7 %. */
const LEVEL = 9;

/** 64 MB, which the reader needs as memory: Han families of one weight share outlines, and four of them are 55 MB. */
const WINDOW_LOG = 26;

const HAN_FILE = /^Noto(Sans|Serif)(?:JP|KR|SC|TC)_(\d+)/;

/** Puts Han families of one style and weight beside each other, so that the compressor finds their common outlines. */
function inOrder(names: string[]): string[] {
  const keyOf = (name: string) => {
    const [, style, weight] = HAN_FILE.exec(name) ?? [];
    return `${style ?? ""} ${weight ?? ""} ${name}`;
  };
  return names.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/**
 * Compresses a stream into a file. The same stream always gives the same file: the compressor gets one piece at a time, and learns that the
 * stream has ended only after it has compressed the last piece. If it knew while it compresses that piece, it would write other bytes.
 * Without this order, the file would depend on how busy the machine is.
 */
export async function compress(stream: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const params = {
    [constants.ZSTD_c_compressionLevel]: LEVEL,
    [constants.ZSTD_c_windowLog]: WINDOW_LOG,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  };
  const options = { params, writableHighWaterMark: 1 };
  // A generator ends only once the compressor has taken its last piece. A stream may end before.
  const pieces = async function* () {
    yield* stream;
  };
  await pipeline(pieces, createZstdCompress(options), createWriteStream(file));
}

/** Compresses a font set for deployments into one file, unless that is there. The same fonts give the same bytes. */
export async function packFonts({ folder, archive } = currentFonts()): Promise<void> {
  if (existsSync(archive)) return;
  const staging = `${archive}.${process.pid}`;
  const files = pack(folder, {
    entries: inOrder(readdirSync(folder)),
    map: (header) => ({ ...header, mode: 0o600, mtime: new Date(0), uid: 0, gid: 0, uname: "", gname: "" }),
  });
  await compress(files as AsyncIterable<Buffer>, staging);
  await rename(staging, archive);
}

/** True for a private folder with every file of the set. */
async function isUsable(dir: string, { files }: FontSet): Promise<boolean> {
  try {
    return (await isPrivateFolder(dir)) && (await readdir(dir)).length === files;
  } catch {
    return false;
  }
}

async function unpackFonts(target: string, fonts: FontSet): Promise<void> {
  const staging = `${target}.${ownerTag()}`;
  try {
    await mkdir(staging, { mode: 0o700 });
    const params = { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG };
    await pipeline(createReadStream(fonts.archive), createZstdDecompress({ params }), extract(staging));
    if (!(await isUsable(target, fonts))) await rm(target, { recursive: true, force: true });
    await rename(staging, target);
  } catch (error) {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    // Another process was faster.
    if (!(await isUsable(target, fonts))) throw error;
  }
}

const underWay = new Map<string, Promise<void>>();

/** Removes other versions, and unfinished folders of processes that have ended. */
async function removeLeftovers(dir: string, version: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const [base, tag] = name.split(".");
    const isNeeded = base === version && (tag === undefined || ownerState(tag) !== "dead");
    if (!isNeeded) await rm(join(/* turbopackIgnore: true */ dir, name), { recursive: true, force: true });
  }
}

function unpackedFolder(dataDir: string, version: string): string {
  return join(/* turbopackIgnore: true */ dataDir, "fonts", version);
}

/** The folder with the bundled fonts if it exists: a deployment that has drawn nothing yet has only the archive. */
export function findFonts(dataDir: string, { folder, version } = currentFonts()): string | undefined {
  return [folder, unpackedFolder(dataDir, version)].find((path) => existsSync(path));
}

/**
 * The folder with the bundled fonts. A built tree has it; a deployment has an archive instead, which is unpacked once
 * per version into a private folder of the data folder.
 * @throws Error when no fonts are built, or with a code of the file system
 */
export async function fontsFolder(dataDir: string, fonts = currentFonts()): Promise<string> {
  if (existsSync(fonts.folder)) return fonts.folder;
  const target = unpackedFolder(dataDir, fonts.version);
  if (await isUsable(target, fonts)) return target;
  await makePrivateFolder(dirname(target));
  await removeLeftovers(dirname(target), fonts.version);
  const pending = underWay.get(target) ?? unpackFonts(target, fonts);
  underWay.set(target, pending);
  await pending.finally(() => underWay.delete(target));
  return target;
}
