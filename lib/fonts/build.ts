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
import { PROJECT_DIR } from "#lib/config.ts";
import { FAMILIES, type Family } from "./families.ts";
import { coverageFile, folderOf, MANIFEST_FILE, type Manifest, readManifest } from "./font-set.ts";
import { readCoverage } from "./read-coverage.ts";

type FontFile = { source: string; name: string };

/** Finds the files of one family. Its package has a folder per weight and style, such as `700Bold_Italic`. */
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
  if (files.length === 0) throw new Error(`There is no font file for ${family.name} in ${folder}. Run "npm ci" again.`);
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

/** Copies the files of a new font set atomically. Several processes may do so at once. */
function copyFontSet(version: string): number {
  const files = FAMILIES.flatMap(filesOf);
  const staging = `${folderOf(version)}.${process.pid}`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const file of files) {
    copyFileSync(file.source, join(/* turbopackIgnore: true */ staging, file.name), constants.COPYFILE_FICLONE);
  }
  if (existsSync(folderOf(version))) rmSync(staging, { recursive: true });
  else renameSync(staging, folderOf(version));
  writeJson(coverageFile(version), readCoverage(files.map(({ source }) => readFileSync(source))));
  return files.length;
}

/** Writes a file atomically, so that no other process reads half of it. */
function writeJson(path: string, value: unknown): void {
  const staging = `${path}.${process.pid}`;
  writeFileSync(staging, JSON.stringify(value));
  renameSync(staging, path);
}

function isComplete(version: string): boolean {
  return [folderOf(version), coverageFile(version)].every((path) => existsSync(path));
}

function removeSet(version: string): void {
  for (const path of [folderOf(version), coverageFile(version)]) rmSync(path, { recursive: true, force: true });
}

/**
 * Copies the bundled fonts from the pinned npm packages into one folder, and writes a list of the characters that they
 * cover. Does nothing when the current font set is of these packages.
 * @returns the number of files, and whether they were copied now
 */
export function buildFonts(): { files: number; built: boolean } {
  const version = createHash("sha256").update(packageVersions()).digest("hex").slice(0, 16);
  const current = readManifest();
  if (current?.version === version && isComplete(version)) return { files: current.files, built: false };

  const manifest: Manifest = { version, files: copyFontSet(version) };
  writeJson(MANIFEST_FILE, manifest);
  if (current && current.version !== version) removeSet(current.version);
  return { files: manifest.files, built: true };
}
