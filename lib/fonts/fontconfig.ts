import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "#lib/private-folder.ts";
import { fontsFolder } from "./archive.ts";
import { currentFonts } from "./font-set.ts";
import { ALIASES, FALLBACK_ORDER, HAN_FAMILY_OF_LANGUAGE } from "./generic-families.ts";

function families(names: string[]): string {
  return names.map((name) => `<string>${name}</string>`).join("");
}

/** Replaces a family by another one. */
function aliasRule([name, family]: [string, string]): string {
  return `<match target="pattern"><test name="family"><string>${name}</string></test><edit name="family" mode="assign" binding="strong"><string>${family}</string></edit></match>`;
}

function languageRule([language, family]: [string, string]): string {
  return `<match target="pattern"><test name="lang" compare="contains"><string>${language}</string></test><edit name="family" mode="append" binding="strong"><string>${family}</string></edit></match>`;
}

/** Grey antialiasing without hinting: hinting and subpixel colours suit one screen, and pictures are shown on many. */
const RASTER_RULE = `<match target="font">
<edit name="antialias" mode="assign"><bool>true</bool></edit>
<edit name="hinting" mode="assign"><bool>false</bool></edit>
<edit name="autohint" mode="assign"><bool>false</bool></edit>
<edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
<edit name="rgba" mode="assign"><const>none</const></edit>
<edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>
<edit name="embeddedbitmap" mode="assign"><bool>false</bool></edit>
</match>`;

/** A path as the text of an element. Its folders may have names such as R&D, with which the file would be no XML. */
function literal(path: string): string {
  return `<![CDATA[${path}]]>`;
}

/** The text of the fontconfig file. */
export function configuration({ fontsDir, cacheDir }: { fontsDir: string; cacheDir: string }): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${literal(fontsDir)}</dir>
<cachedir>${literal(cacheDir)}</cachedir>
${Object.entries(ALIASES).map(aliasRule).join("\n")}
${Object.entries(HAN_FAMILY_OF_LANGUAGE).map(languageRule).join("\n")}
<match target="pattern"><edit name="family" mode="append" binding="weak">${families(FALLBACK_ORDER)}</edit></match>
${RASTER_RULE}
</fontconfig>
`;
}

/**
 * Writes the private fontconfig file for a browser (`FONTCONFIG_FILE`). It names only the bundled fonts and its
 * own cache: no fonts or settings of the machine.
 * @returns the path of the file
 * @throws Error when no fonts are built, or the data folder cannot be written; a deployment unpacks its fonts first, which takes a second
 */
export async function prepareFontconfig(dataDir: string): Promise<string> {
  const fonts = currentFonts();
  const folder = join(/* turbopackIgnore: true */ dataDir, "fontconfig", fonts.version);
  const file = join(/* turbopackIgnore: true */ folder, "fonts.conf");
  const wanted = configuration({ fontsDir: await fontsFolder(dataDir), cacheDir: join(folder, "cache") });
  if ((await readFile(file, "utf8").catch(() => "")) === wanted) return file;
  await makePrivateFolder(join(/* turbopackIgnore: true */ folder, "cache"));
  const staging = `${file}.${randomUUID()}`;
  await writeFile(staging, wanted, { mode: 0o600 });
  await rename(staging, file);
  return file;
}
