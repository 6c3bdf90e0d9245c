import { readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { PROJECT_DIR } from "#lib/config.ts";
import { FAMILIES, type Family } from "./families.ts";
import { trueTypeOf } from "./woff.ts";

/** A file of a package, and the name of the TrueType file that it becomes. */
export type FontFile = { family: string; weight: number; italic: boolean; source: string; name: string };

function folderOf({ package: name }: Family): string {
  return join(/* turbopackIgnore: true */ PROJECT_DIR, "node_modules", name);
}

function wants({ weights }: Family, weight: string | undefined): boolean {
  return weight !== undefined && (!weights || weights.includes(Number(weight)));
}

/** The files of a package that has a folder per weight and style, such as `700Bold_Italic`. */
function styleFiles(family: Family): string[] {
  const folder = folderOf(family);
  return readdirSync(folder)
    .filter((entry) => wants(family, /^(\d{3})\D/.exec(entry)?.[1]))
    .flatMap((style) =>
      readdirSync(join(/* turbopackIgnore: true */ folder, style))
        .filter((file) => file.endsWith(".ttf"))
        .map((file) => join(/* turbopackIgnore: true */ folder, style, file)),
    );
}

/** The files of a package that splits each weight by script, such as `noto-sans-nko-nko-400-normal.woff`. */
function subsetFiles(family: Family): string[] {
  const folder = join(/* turbopackIgnore: true */ folderOf(family), "files");
  const name = new RegExp(`^${family.package.split("/")[1]}-${family.subset}-(\\d{3})-normal\\.woff$`);
  return readdirSync(folder)
    .filter((file) => wants(family, name.exec(file)?.[1]))
    .map((file) => join(/* turbopackIgnore: true */ folder, file));
}

function filesOf(family: Family): FontFile[] {
  const sources = family.subset ? subsetFiles(family) : styleFiles(family);
  if (sources.length === 0)
    throw new Error(`There is no font file for ${family.name} in ${folderOf(family)}. Run "npm ci" again.`);
  return sources.map((source) => {
    const { name } = parse(source);
    const weight = Number(/[_-](\d{3})(?!.*\d{3})/.exec(name)?.[1]);
    return { family: family.name, weight, italic: /italic/i.test(name), source, name: `${name}.ttf` };
  });
}

/** Every font file to bundle. @throws Error for a package that is not installed */
export function listFontFiles(): FontFile[] {
  return FAMILIES.flatMap(filesOf);
}

/** The bytes of a font as a TrueType file. */
export function readFont({ source }: FontFile): Buffer {
  const bytes = readFileSync(source);
  return source.endsWith(".woff") ? trueTypeOf(bytes) : bytes;
}

/** Identifies the exact glyphs: every family and the version of its package. */
export function packageVersions(): string {
  return FAMILIES.map((family) => {
    const path = join(/* turbopackIgnore: true */ folderOf(family), "package.json");
    return `${JSON.stringify(family)}@${JSON.parse(readFileSync(path, "utf8")).version}`;
  }).join("\n");
}
