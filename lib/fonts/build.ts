import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownerState, ownerTag } from "#lib/processes.ts";
import { WRONG_GLYPHS } from "./families.ts";
import { type FontFile, listFontFiles, packageVersions, readFont } from "./font-files.ts";
import {
  archiveFile,
  coverageFile,
  factsFile,
  folderOf,
  MANIFEST_FILE,
  type Manifest,
  readJsonFile,
  readManifest,
} from "./font-set.ts";
import { readCoverage } from "./read-coverage.ts";
import { readFontFacts } from "./read-font.ts";
import { tableOf } from "./read-table.ts";

/** Increase it when a set's files are made in another way. */
const FORMAT = 5;

/** One font at a time, because all of them take 230 MB. */
function* eachCmap(files: FontFile[]): Generator<Buffer> {
  for (const file of files) yield tableOf(readFont(file), "cmap");
}

/** Removes what processes have left that were killed here, which is up to 190 MB each. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, tag] = /^[0-9a-f]+\.(\d+-\d+-\d+)$/.exec(name) ?? [];
    if (tag !== undefined && ownerState(tag) === "dead")
      rmSync(join(/* turbopackIgnore: true */ folder, name), { recursive: true, force: true });
  }
}

/** Writes the files of a new font set atomically. Several processes may do so at once. */
function writeFontSet(version: string): Manifest {
  const files = listFontFiles();
  const staging = `${folderOf(version)}.${ownerTag()}`;
  mkdirSync(dirname(staging), { recursive: true });
  removeUnfinished(dirname(staging));
  mkdirSync(staging);
  for (const file of files) writeFileSync(join(/* turbopackIgnore: true */ staging, file.name), readFont(file));
  const manifest = { version, ...sizeOf(staging) };
  if (hasFiles(manifest)) rmSync(staging, { recursive: true });
  else {
    rmSync(folderOf(version), { recursive: true, force: true });
    renameSync(staging, folderOf(version));
  }
  const facts = readFontFacts(files);
  writeJson(factsFile(version), facts);
  writeJson(coverageFile(version), readCoverage(eachCmap(files)));
  return manifest;
}

/** Writes a file atomically, so that no other process reads half of it. */
function writeJson(path: string, value: unknown): void {
  const staging = `${path}.${process.pid}`;
  writeFileSync(staging, JSON.stringify(value));
  renameSync(staging, path);
}

/** How many files a folder has, and their bytes together. */
function sizeOf(folder: string): { files: number; bytes: number } {
  const names = readdirSync(folder);
  const sizes = names.map((name) => statSync(join(/* turbopackIgnore: true */ folder, name)).size);
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Whether all files of a set are there. A power failure may have left empty ones, and a copy that was cut short a part of one. */
function hasFiles({ version, files, bytes }: Manifest): boolean {
  if (!existsSync(folderOf(version))) return false;
  const found = sizeOf(folderOf(version));
  return found.files === files && found.bytes === bytes;
}

function isComplete(manifest: Manifest): boolean {
  const isReadable = (path: string) => readJsonFile(path) !== undefined;
  return hasFiles(manifest) && [coverageFile(manifest.version), factsFile(manifest.version)].every(isReadable);
}

function removeSet(version: string): void {
  for (const path of [folderOf(version), coverageFile(version), factsFile(version), archiveFile(version)])
    rmSync(path, { recursive: true, force: true });
}

function wantedVersion(): string {
  const made = [FORMAT, packageVersions(), JSON.stringify(WRONG_GLYPHS)];
  return createHash("sha256").update(made.join("\n")).digest("hex").slice(0, 16);
}

/** Whether the current font set is complete and of the packages that are installed. */
export function areFontsBuilt(): boolean {
  const current = readManifest();
  return current?.version === wantedVersion() && isComplete(current);
}

/**
 * Copies the bundled fonts from the pinned npm packages into one folder, and writes a list of the characters that they
 * cover. Does nothing when the current font set is of these packages.
 * @returns the number of files, and whether they were copied now
 */
export function buildFonts(): { files: number; built: boolean } {
  const current = readManifest();
  if (current && areFontsBuilt()) return { files: current.files, built: false };

  const version = wantedVersion();
  const manifest = writeFontSet(version);
  writeJson(MANIFEST_FILE, manifest);
  if (current && current.version !== version) removeSet(current.version);
  return { files: manifest.files, built: true };
}
