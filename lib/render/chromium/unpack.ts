import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar-fs";
import { z } from "zod";
import { isPrivateFolder } from "#lib/private-folder.ts";
import { CHROMIUM_PACKAGE_DIR } from "#lib/render/bundled-chromium.ts";

export const EXECUTABLE = "chromium";
export const LIBRARIES = "lib";
const MARKER = "complete.json";

/** The default of 16 KB would call into JavaScript 13,000 times for one executable. */
const CHUNK_BYTES = 2 * 1024 * 1024;

const marker = z.object({ files: z.record(z.string(), z.int().positive()) });

/** The version of the bundled Chromium, such as `153.0.0`. */
export async function bundledVersion(): Promise<string> {
  const text = await readFile(join(/* turbopackIgnore: true */ CHROMIUM_PACKAGE_DIR, "package.json"), "utf8");
  return z.object({ version: z.string().regex(/^[\w.-]+$/) }).parse(JSON.parse(text)).version;
}

/** The name of the folder of an unpacked Chromium, by version and processor. */
export function bundledFolder(version: string): string {
  return `chromium-${version}-${process.arch}`;
}

function decompress(file: string) {
  const source = createReadStream(join(/* turbopackIgnore: true */ CHROMIUM_PACKAGE_DIR, "bin", file));
  return [source, createBrotliDecompress({ chunkSize: CHUNK_BYTES })] as const;
}

/** A writable stream that extracts a tar archive into a folder. */
function filesInto(dir: string) {
  const files = extract(dir, { dmode: 0o700 });
  // The archive's stream reports the same error. Without a listener here, it would end the process.
  files.on("entry", (_header, entry) => entry.on("error", () => undefined));
  return files;
}

/** Waits until every promise has settled. @throws the first rejection */
async function allDone(works: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** Every file below a folder except the marker, with its size in bytes. */
async function listFiles(dir: string): Promise<Record<string, number>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const sized = await Promise.all(
    files.map(async (file) => [file.slice(dir.length + 1), (await lstat(file)).size] as const),
  );
  return Object.fromEntries(sized.filter(([name]) => name !== MARKER));
}

/**
 * Decompresses the bundled Chromium, and the libraries that a minimal machine lacks, into a new private folder. Takes 1 s.
 * @throws Error with a code of the file system, such as ENOSPC, after removing the folder
 */
export async function unpackInto(dir: string): Promise<void> {
  try {
    // Not `recursive`: on a read-only disk that fails with ENOENT, which hides the reason.
    await mkdir(dir, { mode: 0o700 });
    // All writers must have stopped before a failure removes the folder.
    await allDone([
      pipeline(...decompress("chromium.br"), createWriteStream(join(dir, EXECUTABLE), { mode: 0o700, flags: "wx" })),
      pipeline(...decompress("al2023.tar.br"), filesInto(dir)),
    ]);
    await writeFile(join(dir, MARKER), JSON.stringify({ files: await listFiles(dir) }), { mode: 0o600 });
  } catch (error) {
    // A second error must not hide the first.
    await rm(dir, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** True for a private folder that {@link unpackInto} completed, and in which every file still has its size. */
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
