import { createHash } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { BUILD_DIR, PROJECT_DIR } from "#lib/config.ts";
import { FAMILIES, type Family } from "./families.ts";

/** One folder per set of fonts, flat: one file per family, weight and style. A set never changes, so that nobody meets half of one. */
const FONT_SETS_DIR = join(/* turbopackIgnore: true */ BUILD_DIR, "fonts");

/** Says which set is current. */
const MANIFEST_FILE = join(/* turbopackIgnore: true */ BUILD_DIR, "fonts.json");

/** `version` names the exact set of glyphs, so that anything which depends on it can key on it. */
type Manifest = { version: string; files: number };

type FontFile = { source: string; name: string };

/** The files of one family. A package holds a folder per weight and style, such as `700Bold_Italic`, with one TTF in it. */
function filesOf(family: Family): FontFile[] {
  const folder = join(/* turbopackIgnore: true */ PROJECT_DIR, "node_modules/@expo-google-fonts", family.package);
  const styles = readdirSync(folder).filter((entry) => {
    const weight = /^(\d{3})\D/.exec(entry)?.[1];
    return weight !== undefined && (!family.weights || family.weights.includes(Number(weight)));
  });
  const files = styles.flatMap((style) =>
    readdirSync(join(/* turbopackIgnore: true */ folder, style))
      .filter((file) => file.endsWith(".ttf"))
      .map((file) => ({ source: join(/* turbopackIgnore: true */ folder, style, file), name: file })),
  );
  if (files.length === 0) throw new Error(`No font file for ${family.name} in ${folder}. Run "npm ci" again.`);
  return files;
}

function packageVersions(): string {
  return FAMILIES.map((family) => {
    const path = join(
      /* turbopackIgnore: true */ PROJECT_DIR,
      "node_modules/@expo-google-fonts",
      family.package,
      "package.json",
    );
    return `${JSON.stringify(family)}@${JSON.parse(readFileSync(path, "utf8")).version}`;
  }).join("\n");
}

function readManifest(): Manifest | undefined {
  return existsSync(MANIFEST_FILE) ? JSON.parse(readFileSync(MANIFEST_FILE, "utf8")) : undefined;
}

function folderOf(version: string): string {
  return join(/* turbopackIgnore: true */ FONT_SETS_DIR, version);
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

/** Copies the files of a new set, whole or not at all: of several processes that do, one wins, with the same files. */
function gather(version: string): number {
  const files = FAMILIES.flatMap(filesOf);
  const staging = `${folderOf(version)}.${process.pid}`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const file of files) {
    copyFileSync(file.source, join(/* turbopackIgnore: true */ staging, file.name), constants.COPYFILE_FICLONE);
  }
  if (existsSync(folderOf(version))) rmSync(staging, { recursive: true });
  else renameSync(staging, folderOf(version));
  return files.length;
}

/**
 * Gathers the bundled fonts into one folder, from the pinned npm packages. Does nothing when the current set is theirs.
 * @returns how many files there are, and whether they were gathered now
 */
export function buildFonts(): { files: number; built: boolean } {
  const version = createHash("sha256").update(packageVersions()).digest("hex").slice(0, 16);
  const current = readManifest();
  if (current?.version === version && existsSync(folderOf(version))) return { files: current.files, built: false };

  const manifest: Manifest = { version, files: gather(version) };
  const staging = `${MANIFEST_FILE}.${process.pid}`;
  writeFileSync(staging, JSON.stringify(manifest));
  renameSync(staging, MANIFEST_FILE);
  if (current && current.version !== version) rmSync(folderOf(current.version), { recursive: true, force: true });
  return { files: manifest.files, built: true };
}
