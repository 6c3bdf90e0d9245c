import { join } from "node:path";
import { UsageError } from "#scripts/run-command.ts";
import type { Row } from "./read-rows.ts";

/** Names that Windows keeps for devices, also with an extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** File systems allow 255 bytes. The rest is for a number, the extension and a temporary suffix. */
const MAX_NAME_BYTES = 180;

/** Separators of paths, characters that Windows refuses, and control characters. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\u2028\u2029]+/gu;
/** Invisible characters that change the direction of what follows them. */
const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const PLACEHOLDER = /\{([^{}]*)\}/g;

function cut(name: string): string {
  let bytes = 0;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > MAX_NAME_BYTES) break;
    kept += segment;
  }
  return kept;
}

/** Makes a value safe as a part of a file name: no separators, no leading or trailing dots, one line. "" if nothing is left. */
export function safeName(value: string): string {
  const clean = value.normalize("NFC").toWellFormed().replaceAll(DIRECTION, "").replaceAll(UNSAFE, "-");
  return cut(clean.replaceAll(/\s+/g, " ")).replace(/^[\s.-]+|[\s.-]+$/g, "");
}

/** The names in braces of a pattern such as `badges/{name}.png`. */
export function placeholdersOf(pattern: string): string[] {
  return [...pattern.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** The part of a pattern that is the same for all rows. */
export function folderOf(pattern: string): string {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => part.includes("{"));
  return (
    parts.slice(0, first < 0 ? -1 : Math.min(first, parts.length - 1)).join("/") ||
    (pattern.startsWith("/") ? "/" : ".")
  );
}

function fillPart(part: string, { row, cells }: Row): string {
  if (!part.includes("{")) return part;
  const filled = part.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = name === "row" && !Object.hasOwn(cells, name) ? row : cells[name];
    return safeName(typeof value === "string" || typeof value === "number" ? String(value) : "") || `row-${row}`;
  });
  const name = cut(filled.replace(/\.png$/, ""));
  return `${RESERVED.test(name) ? "_" : ""}${name}`;
}

/** Equal for two names that some file system cannot tell apart. */
function foldCase(path: string): string {
  return path.toLowerCase().normalize("NFC");
}

/**
 * The file of each row, in their order. Values become safe names, so no row leaves the folder of the pattern; a row without
 * the value is named by its number. Equal names get a number: `anna.png`, `anna-2.png`.
 * @throws UsageError for a pattern that does not end in `.png`
 */
export function fileNames(pattern: string, rows: Row[]): string[] {
  if (!pattern.endsWith(".png")) throw new UsageError(`Got -o "${pattern}", want a pattern such as badges/{name}.png.`);
  const stems = rows.map((row) => {
    const parts = pattern.slice(0, -".png".length).split("/");
    return parts.map((part) => fillPart(part, row)).join("/");
  });
  const taken = new Set(stems.map(foldCase));
  const used = new Map<string, number>();
  return stems.map((stem) => {
    const before = used.get(foldCase(stem)) ?? 0;
    let count = before + 1;
    while (count > 1 && taken.has(foldCase(`${stem}-${count}`))) count++;
    used.set(foldCase(stem), count);
    const name = count === 1 ? stem : `${stem}-${count}`;
    return join(`${name}.png`);
  });
}
