import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";

/** The size limit of a template's text files, in bytes: a hundred times the largest shipped one. */
export const MAX_TEXT_BYTES = 1_000_000;

/** Thrown for a file that cannot be used. The message contains no path of the machine. */
export class FileRefused extends Error {
  override name = "FileRefused";
  /** Where the reason is, counted from 1. */
  readonly line: number;

  constructor(message: string, line = 1) {
    super(message);
    this.line = line;
  }
}

/** What a decoder writes for bytes that are no character. */
const REPLACEMENT = "\ufffd";

/** Whether nothing was found because Node cannot name it: an archive from Windows may unpack to names that are not UTF-8. */
function hasLostName(error: { code?: unknown; path?: unknown }): boolean {
  return error.code === "ENOENT" && String(error.path).includes(REPLACEMENT);
}

const MISSING = "The file is missing.";

/** Says why a file cannot be used, without paths of the machine. @throws an error that is no fault of a file */
export function describeFailure(error: unknown): string {
  if (error instanceof FileRefused) return `${error.message}.`;
  if (error instanceof RangeError) return "The file is nested too deeply. Use fewer levels.";
  if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
  if (error.code !== "ENOENT") return `It cannot be read (${error.code}).`;
  return hasLostName(error) ? "Its name is not in UTF-8. Rename it." : MISSING;
}

/**
 * Whether a fault says that the system did not read a file. A disk of the network may do so at the next start, and a file that was
 * missing may have been moved away for a moment.
 */
export function mayPass({ reason }: { reason: string }): boolean {
  return reason === MISSING || /cannot be read \([A-Z0-9]+\)/.test(reason);
}

type OnUnreadable = (folder: string, error: Error) => void;

/** Whether a folder stays unreadable. Other errors, such as those of a disk that is away, end by themselves. */
function isUnreadable(error: NodeJS.ErrnoException): boolean {
  return error.code === "EACCES" || error.code === "EPERM" || hasLostName(error);
}

function entriesOf(folder: string, onUnreadable: OnUnreadable): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!(error instanceof Error && isUnreadable(error))) throw error;
    onUnreadable(folder, error);
    return [];
  }
}

/**
 * Lists every file below a folder. Links to files are followed because mounted configuration consists of them. Links to
 * folders are not followed because they can form loops. Hidden folders are skipped because mounted volumes keep old
 * versions there, and folders that cannot be read, as the one that a volume has for the system (lost+found).
 */
export function* filesBelow(
  folder: string,
  { onUnreadable = () => undefined }: { onUnreadable?: OnUnreadable } = {},
): Generator<string> {
  for (const entry of entriesOf(folder, onUnreadable)) {
    const path = join(/* turbopackIgnore: true */ folder, entry.name);
    if (!entry.isDirectory()) yield path;
    else if (!entry.name.startsWith(".")) yield* filesBelow(path, { onUnreadable });
  }
}

/** The text whose lines were looked for last, and where its lines end. A file with faults may have thousands of them. */
let lastText = { text: "", ends: [] as number[] };

function lineEnds(text: string): number[] {
  if (lastText.text !== text) {
    const ends: number[] = [];
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) ends.push(end);
    lastText = { text, ends };
  }
  return lastText.ends;
}

/** The line of a character offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  const ends = lineEnds(text);
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

/**
 * The text of a file in UTF-8, without the byte order mark that some editors write. Other encodings would be drawn as wrong
 * letters. UTF-16 has a NUL in every letter of English.
 */
function decode(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) {
    const line = lineAt(text, text.indexOf(REPLACEMENT));
    throw new FileRefused(`Got bytes in line ${line} that are not UTF-8. Save the file in the encoding UTF-8`, line);
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    const line = lineAt(text, nul);
    throw new FileRefused(
      `Got a NUL character in line ${line}. Remove it, or save the file in the encoding UTF-8`,
      line,
    );
  }
  return text.replace(/^\ufeff/, "");
}

/**
 * Reads a text file of a folder. A link may lead to another file of the folder, as in mounted configuration. Files outside are refused,
 * because a picture would show to anyone what is in them.
 * @throws FileRefused when the path is not a file, leads out of the folder, or the file is too large or not in UTF-8; or a file system Error
 * with a `code`
 */
export function readText(path: string, folder: string): string {
  const stats = statSync(path);
  if (!realpathSync(path).startsWith(realpathSync(folder) + sep))
    throw new FileRefused("Got a link that leads out of the folder, want a file");
  if (!stats.isFile()) throw new FileRefused("Got a folder or a device, want a file");
  if (stats.size > MAX_TEXT_BYTES) throw new FileRefused(`Got ${stats.size} bytes, want at most ${MAX_TEXT_BYTES}`);
  return decode(readFileSync(path));
}
