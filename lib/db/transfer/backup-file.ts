import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { explainFileFault } from "#lib/file-faults.ts";
import { ownerState, ownerTag } from "#lib/processes.ts";
import { type Part, partSchema, Tally, type Total } from "./parts.ts";

/** The longest line, in characters. A thousand rows are one line, and the largest rows have about two kilobytes. */
const MAX_LINE_CHARS = 16_000_000;

/** A file that is no whole backup. The message says why. */
class BackupFault extends Error {}

/** What a backup holds, by the names of its tables. */
export type Totals = Record<string, Total>;

async function* encodeLines(parts: AsyncIterable<Part>): AsyncGenerator<string> {
  for await (const part of parts) yield `${JSON.stringify(part)}\n`;
}

/** Removes what killed processes have left of backups in a folder. What this user may not list or remove stays. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, tag = ""] = /\.([\d-]+)\.[0-9a-f]{8}\.unfinished$/.exec(name) ?? [];
    if (tag !== "" && ownerState(tag) === "dead") await rm(join(folder, name)).catch(() => undefined);
  }
}

/** Gives a complete backup its name, unless another backup has taken it. @throws Error with the code EEXIST */
async function publish(unfinished: string, file: string): Promise<void> {
  try {
    // Unlike a rename, a link replaces no file.
    await link(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // A file system without links. The name is taken by an empty file, which the rename replaces.
    await (await open(file, "wx", 0o600)).close();
    return await rename(unfinished, file);
  }
  await rm(unfinished);
}

/**
 * Writes a backup that only this user can read. It has its name only once it is complete and on the disk. Of several that are written
 * to one name at once, the first one that is complete gets it.
 * @throws the error of `parts` or of the file system; the signal's reason
 */
export async function writeBackup(file: string, parts: AsyncIterable<Part>, signal: AbortSignal): Promise<void> {
  const unfinished = `${file}.${ownerTag()}.${randomBytes(4).toString("hex")}.unfinished`;
  try {
    await removeLeftovers(dirname(file));
    // A new file: in a folder of several users, one that is there may be a link or belong to somebody else.
    const output = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(Readable.from(encodeLines(parts)), createGzip(), output, { signal });
    await publish(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new Error(`Another command has written ${file} meanwhile, and it was kept.`, { cause: error });
    const reason = explainFileFault(Object.assign(error as Error, { path: unfinished }));
    throw reason === undefined ? error : new Error(reason, { cause: error });
  }
}

/** Not `node:readline`, which also ends a line at U+2028 within a text. */
async function* readLines(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const input = createReadStream(file);
  const unpacked = createGunzip();
  input.on("error", (error) => unpacked.destroy(error));
  let rest = "";
  try {
    for await (const chunk of input.pipe(unpacked)) {
      // Only the chunk is searched: to search the rest of a long line again with each chunk would take quadratic time.
      const [end = "", ...lines] = decoder.decode(chunk as Buffer, { stream: true }).split("\n");
      rest += end;
      if (rest.length > MAX_LINE_CHARS) throw new BackupFault("it has a line that no backup has");
      const last = lines.pop();
      if (last === undefined) continue;
      yield rest;
      yield* lines;
      rest = last;
    }
    // Throws where the last character is cut.
    decoder.decode();
  } finally {
    // Not closed by itself where a faulty line ends the reading.
    input.destroy();
  }
  if (rest !== "") throw new BackupFault("it ends within a line");
}

function parsePart(line: string, number: number): Part {
  const part = partSchema.safeParse(tryJson(line));
  if (part.success) return part.data;
  throw new BackupFault(`line ${number} is not a part of a backup that this version of Platen reads`);
}

function tryJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Reads the parts of a backup as they are. @throws BackupFault; the error of the file system */
export async function* readBackup(file: string): AsyncGenerator<Part> {
  let number = 0;
  try {
    for await (const line of readLines(file)) {
      number++;
      yield parsePart(line, number);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") throw new BackupFault("it is cut off");
    if (code === "Z_DATA_ERROR" || code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new BackupFault(number === 0 ? "it is no gzip file" : "its bytes were changed");
    throw error;
  }
}

/**
 * Reads a whole backup and compares its rows with its totals.
 * @throws BackupFault; the error of the file system; the signal's reason
 */
export async function checkBackup(
  file: string,
  signal?: AbortSignal,
): Promise<{ createdAt: string; platen: string; totals: Totals }> {
  const handle = await open(file);
  await handle.close();
  let head: { createdAt: string; platen: string } | undefined;
  let wanted: Totals | undefined;
  let tally: Tally | undefined;
  const tallies = new Map<string, Tally>();
  for await (const part of readBackup(file)) {
    signal?.throwIfAborted();
    if (wanted || (head === undefined) !== "format" in part) throw new BackupFault("its lines are not in their order");
    if ("format" in part) head = part;
    else if ("table" in part) {
      tally = new Tally();
      tallies.set(part.table, tally);
    } else if ("rows" in part) tally?.add(part.rows);
    else wanted = part.totals;
  }
  if (!head || !wanted) throw new BackupFault("its end is missing");
  for (const name of new Set([...tallies.keys(), ...Object.keys(wanted)])) {
    const got = tallies.get(name)?.total();
    if (got?.hash !== wanted[name]?.hash || got?.rows !== wanted[name]?.rows)
      throw new BackupFault(`the rows of "${name}" are not those that were written`);
  }
  return { createdAt: head.createdAt, platen: head.platen, totals: wanted };
}
