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

/** Where the built fonts are: flat, one file per family, weight and style. */
export const FONTS_DIR = join(/* turbopackIgnore: true */ BUILD_DIR, "fonts");

const MANIFEST = "manifest.json";

/** `version` names the exact set of glyphs, so that anything which depends on it can key on it. */
type Manifest = { version: string; files: string[] };

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
  const path = join(/* turbopackIgnore: true */ FONTS_DIR, MANIFEST);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** Names the exact set of glyphs that is built. @throws Error when no fonts are built */
export function fontSetVersion(): string {
  const manifest = readManifest();
  if (!manifest) throw new Error('The fonts are not built. Run "npm run fonts".');
  return manifest.version;
}

/**
 * Gathers the bundled fonts into one folder, from the pinned npm packages. Does nothing when that folder is current.
 * The folder is swapped in whole, so that a reader never meets half of it.
 * @returns how many files there are, and whether they were gathered now
 */
export function buildFonts(): { files: number; built: boolean } {
  const version = createHash("sha256").update(packageVersions()).digest("hex").slice(0, 16);
  const current = readManifest();
  if (current?.version === version) return { files: current.files.length, built: false };

  const files = FAMILIES.flatMap(filesOf);
  const staging = `${FONTS_DIR}.${process.pid}`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const file of files)
    copyFileSync(file.source, join(/* turbopackIgnore: true */ staging, file.name), constants.COPYFILE_FICLONE);
  const manifest: Manifest = { version, files: files.map((file) => file.name) };
  writeFileSync(join(/* turbopackIgnore: true */ staging, MANIFEST), JSON.stringify(manifest, null, 2));
  rmSync(FONTS_DIR, { recursive: true, force: true });
  renameSync(staging, FONTS_DIR);
  return { files: files.length, built: true };
}
