import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_DIR } from "#lib/config.ts";

/** One folder per font set. A set never changes, so that no process sees half of one. */
const FONT_SETS_DIR = join(/* turbopackIgnore: true */ BUILD_DIR, "fonts");

/** Names the current font set. */
export const MANIFEST_FILE = join(/* turbopackIgnore: true */ BUILD_DIR, "fonts.json");

/** `version` identifies the exact glyphs, for cache keys. `bytes` is the size of all files together. */
export type Manifest = { version: string; files: number; bytes: number };

/** The manifest. Undefined where no fonts are built, or a power failure has emptied it. */
export function readManifest(): Manifest | undefined {
  return readJsonFile(MANIFEST_FILE) as Manifest | undefined;
}

/** The content of a JSON file. Undefined where the file is missing, or is no JSON because a copy was cut short. */
export function readJsonFile(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The folder with the files of a font set. */
export function folderOf(version: string): string {
  return join(/* turbopackIgnore: true */ FONT_SETS_DIR, version);
}

/** The file with the `Coverage` of a font set. */
export function coverageFile(version: string): string {
  return `${folderOf(version)}.json`;
}

/** The file with the `FontFacts` of a font set. */
export function factsFile(version: string): string {
  return `${folderOf(version)}.families.json`;
}

/** The compressed files of a font set, which deployments have instead of its folder. */
export function archiveFile(version: string): string {
  return `${folderOf(version)}.tar.zst`;
}

/** A font set and where it is: in its folder, or in a deployment in its archive. */
export type FontSet = Omit<Manifest, "bytes"> & { folder: string; archive: string };

/** Returns the current font set. @throws Error when no fonts are built */
export function currentFonts(): FontSet {
  const manifest = readManifest();
  if (!manifest) throw new Error('The fonts are not built. Run "npm run fonts".');
  return { ...manifest, folder: folderOf(manifest.version), archive: archiveFile(manifest.version) };
}
