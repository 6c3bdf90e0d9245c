import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_DIR } from "#lib/config.ts";

/** One folder per set of fonts: one file per family, weight and style, and what they cover. A set never changes, so that nobody meets half of one. */
const FONT_SETS_DIR = join(/* turbopackIgnore: true */ BUILD_DIR, "fonts");

/** Says which set is current. */
export const MANIFEST_FILE = join(/* turbopackIgnore: true */ BUILD_DIR, "fonts.json");

/** `version` names the exact set of glyphs, so that anything which depends on it can key on it. */
export type Manifest = { version: string; files: number };

export function readManifest(): Manifest | undefined {
  return existsSync(MANIFEST_FILE) ? JSON.parse(readFileSync(MANIFEST_FILE, "utf8")) : undefined;
}

/** Where the files of a set are. */
export function folderOf(version: string): string {
  return join(/* turbopackIgnore: true */ FONT_SETS_DIR, version);
}

/** Which characters the files of a set have, in the form of `Coverage`. */
export function coverageFile(version: string): string {
  return `${folderOf(version)}.json`;
}

/**
 * The current set of fonts: what names its exact glyphs, and where its files are.
 * @throws Error when no fonts are built
 */
export function currentFonts(): { version: string; folder: string } {
  const manifest = readManifest();
  if (!manifest) throw new Error('The fonts are not built. Run "npm run fonts".');
  return { version: manifest.version, folder: folderOf(manifest.version) };
}
