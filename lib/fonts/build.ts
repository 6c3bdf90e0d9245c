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
import { coverageFile, folderOf, MANIFEST_FILE, type Manifest, readManifest } from "./current.ts";
import { FAMILIES, type Family } from "./families.ts";
import { readCoverage } from "./read-coverage.ts";

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
  writeWhole(coverageFile(version), readCoverage(files.map(({ source }) => readFileSync(source))));
  return files.length;
}

/** So that nobody reads half a file. */
function writeWhole(path: string, value: unknown): void {
  const staging = `${path}.${process.pid}`;
  writeFileSync(staging, JSON.stringify(value));
  renameSync(staging, path);
}

function isGathered(version: string): boolean {
  return [folderOf(version), coverageFile(version)].every((path) => existsSync(path));
}

function removeSet(version: string): void {
  for (const path of [folderOf(version), coverageFile(version)]) rmSync(path, { recursive: true, force: true });
}

/**
 * Gathers the bundled fonts into one folder, from the pinned npm packages, and writes down what they cover. Does nothing when the current set is theirs.
 * @returns how many files there are, and whether they were gathered now
 */
export function buildFonts(): { files: number; built: boolean } {
  const version = createHash("sha256").update(packageVersions()).digest("hex").slice(0, 16);
  const current = readManifest();
  if (current?.version === version && isGathered(version)) return { files: current.files, built: false };

  const manifest: Manifest = { version, files: gather(version) };
  writeWhole(MANIFEST_FILE, manifest);
  if (current && current.version !== version) removeSet(current.version);
  return { files: manifest.files, built: true };
}
