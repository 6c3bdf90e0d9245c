import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar-fs";
import { z } from "zod";
import { PROJECT_DIR } from "#lib/config.ts";
import { isPrivateFolder } from "#lib/private-folder.ts";

/** The package's `exports` hide its files, and asking the bundler to resolve them would make it trace all of them. */
const PACKAGE_DIR = join(/* turbopackIgnore: true */ PROJECT_DIR, "node_modules", "@sparticuz", "chromium");

export const EXECUTABLE = "chromium";
export const LIBRARIES = "lib";
const MARKER = "complete.json";

/** The default of 16 KB crosses into JavaScript 13,000 times for one executable. */
const CHUNK_BYTES = 2 * 1024 * 1024;

const marker = z.object({ files: z.record(z.string(), z.int().positive()) });

/** The version of the bundled Chromium, such as `153.0.0`. */
export async function bundledVersion(): Promise<string> {
  const text = await readFile(join(/* turbopackIgnore: true */ PACKAGE_DIR, "package.json"), "utf8");
  return z.object({ version: z.string().regex(/^[\w.-]+$/) }).parse(JSON.parse(text)).version;
}

function decompress(file: string) {
  const source = createReadStream(join(/* turbopackIgnore: true */ PACKAGE_DIR, "bin", file));
  return [source, createBrotliDecompress({ chunkSize: CHUNK_BYTES })] as const;
}

/** A stream that takes a tar archive, whose files it writes into a folder. */
function filesInto(dir: string) {
  const files = extract(dir, { dmode: 0o700 });
  // What fails an entry fails the whole, where it is heard of; on the stream of the entry nobody listens, which would end the process.
  files.on("entry", (_header, entry) => entry.on("error", () => undefined));
  return files;
}

/** Waits for all of them, whatever becomes of one. @throws the first reason */
async function allDone(works: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** Every file below a folder with its size in bytes, except the marker. */
async function listFiles(dir: string): Promise<Record<string, number>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const sized = await Promise.all(
    files.map(async (file) => [file.slice(dir.length + 1), (await lstat(file)).size] as const),
  );
  return Object.fromEntries(sized.filter(([name]) => name !== MARKER));
}

/**
 * Decompresses the bundled Chromium and the libraries that a bare machine lacks into a new private folder (1 s measured).
 * @throws Error with the code of the file system, such as ENOSPC; the folder is gone then
 */
export async function unpackInto(dir: string): Promise<void> {
  try {
    // Not `recursive`: on a read-only disk that fails with ENOENT, which says nothing.
    await mkdir(dir, { mode: 0o700 });
    // Nothing is written any more when the folder is removed.
    await allDone([
      pipeline(...decompress("chromium.br"), createWriteStream(join(dir, EXECUTABLE), { mode: 0o700, flags: "wx" })),
      pipeline(...decompress("al2023.tar.br"), filesInto(dir)),
    ]);
    await writeFile(join(dir, MARKER), JSON.stringify({ files: await listFiles(dir) }), { mode: 0o600 });
  } catch (error) {
    // What else goes wrong would hide why.
    await rm(dir, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** True for a folder that {@link unpackInto} completed, that is this user's alone, and in which no file is missing or cut. */
export async function isUsable(dir: string): Promise<boolean> {
  try {
    if (!(await isPrivateFolder(dir))) return false;
    const { files } = marker.parse(JSON.parse(await readFile(join(dir, MARKER), "utf8")));
    const found = await listFiles(dir);
    return EXECUTABLE in files && Object.entries(files).every(([name, size]) => found[name] === size);
  } catch {
    return false;
  }
}
