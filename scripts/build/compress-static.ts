import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { UNCOMPRESSED_BYTES } from "#lib/http/http-limits.ts";
import { COMPRESSED_EXTENSIONS, ENCODING_EXTENSIONS } from "#lib/http/server/static-files.ts";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const GZIP_LEVEL = 9;

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < UNCOMPRESSED_BYTES) return;
  const [brotli, gzipped] = await Promise.all([compressBrotli(content), compressGzip(content, { level: GZIP_LEVEL })]);
  await Promise.all([
    writeFile(path + ENCODING_EXTENSIONS.br, brotli),
    writeFile(path + ENCODING_EXTENSIONS.gzip, gzipped),
  ]);
}

/** Puts compressed copies of the scripts and style sheets of a build beside them. @param folder `.next/static` */
export async function compressStatic(folder: string): Promise<void> {
  const extensions = COMPRESSED_EXTENSIONS.map((extension) => extension.slice(1));
  const files = globSync(`**/*.{${extensions.join(",")}}`, { cwd: folder });
  await Promise.all(files.map((file) => compressFile(join(folder, file))));
}
