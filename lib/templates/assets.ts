import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { withTextForms } from "#lib/fonts/color-fonts.ts";
import type { Coverage } from "#lib/fonts/coverage.ts";
import { isCutShort } from "#lib/fonts/cut-short.ts";
import { joinCoverages, readCoverage } from "#lib/fonts/read-coverage.ts";
import { readCmap } from "#lib/fonts/read-table.ts";
import { convertAsset } from "#lib/images/decode-image.ts";
import { TAKES_TOO_LONG } from "#lib/images/image-fault.ts";
import { ASSET_LIMIT_MS } from "#lib/images/image-limits.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { imageFault } from "./faults/asset-faults.ts";
import { stillDrawing } from "./images/still-drawing.ts";
import type { FileFault } from "./template.ts";
import { describeFailure, filesBelow } from "./template-files.ts";

/** Assets are inlined, so each one is part of every document that the browser loads. */
const MAX_ASSET_BYTES = 8_000_000;

const MEDIA_TYPES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
  ".otf": "font/otf",
};

const FONT_URL = /^data:font\/[a-z0-9]+;base64,/;

/** Maps the path that a template's files use (`assets/…`), in the normal form of `assetName`, to a `data:` URL. */
export type Assets = Record<string, string>;

/** A Mac writes "ü" in the names of files as "u" and a mark, where a keyboard writes one character. */
export const assetName = (name: string) => name.normalize("NFC");

/** The `data:` URL of a file that a template names, such as `assets/logo.svg`. */
export function findAsset(assets: Assets, address: string): string | undefined {
  const name = assetName(address);
  return Object.hasOwn(assets, name) ? assets[name] : undefined;
}

type AssetPath = {
  file: string;
  path: string;
  root: string;
  /** Whether an image is decoded. */
  isDecoded: boolean;
};

/** Stands for a file that is refused, so that references to it do not count as faults too. */
const REFUSED_URL = "data:,";

function refuse(fault: string): { url: string; fault: string } {
  return { url: REFUSED_URL, fault };
}

async function readAsset({ file, path, root, isDecoded }: AssetPath): Promise<{ url: string; fault?: string }> {
  const type = MEDIA_TYPES[extname(file).toLowerCase()];
  const stats = statSync(path);
  if (!realpathSync(path).startsWith(root))
    return refuse("Got a link that leads out of the template's folder. Copy the file.");
  if (!stats.isFile()) return refuse("Got a folder or a device, want a file.");
  if (!type) return refuse(`Files of this type are not supported, want ${Object.keys(MEDIA_TYPES).join(", ")}.`);
  if (stats.size > MAX_ASSET_BYTES) return refuse(`Got ${stats.size} bytes, want at most ${MAX_ASSET_BYTES}.`);
  const bytes = readFileSync(path);
  if (isDecoded && type.startsWith("image/")) {
    const fault = await imageFault(bytes, type);
    if (fault !== undefined) return refuse(fault);
    const converted = await convertAsset(bytes, ASSET_LIMIT_MS);
    if (typeof converted === "string") return { url: converted };
    if (converted) return refuse(converted.fault);
  }
  const shown = type === MEDIA_TYPES[".svg"] ? Buffer.from(stillDrawing(bytes.toString())) : bytes;
  return { url: `data:${type};base64,${shown.toString("base64")}` };
}

async function tryReadAsset(asset: AssetPath): Promise<{ url: string; fault?: string }> {
  try {
    return await readAsset(asset);
  } catch (error) {
    return refuse(describeFailure(error));
  }
}

type ReadAssets = {
  /** The folder of a template, or that of all templates. */
  dir: string;
  /** The folder of assets in it. */
  name: string;
  /** Whether to read a file, which is named as in `assets/logo.svg`. */
  isWanted?: (file: string) => boolean;
};

/** Reads the files of a folder of assets. */
export async function readAssets({ dir, name, isWanted = () => true }: ReadAssets) {
  const folder = join(/* turbopackIgnore: true */ dir, name);
  const assets: Assets = {};
  const faults: FileFault[] = [];
  if (!existsSync(folder)) return { assets, faults };
  const root = realpathSync(dir) + sep;
  const nameOf = (path: string) => assetName(`${name}${path.slice(folder.length).replaceAll(sep, "/")}`);
  const onUnreadable = (path: string, error: Error) => {
    if (isWanted(`${nameOf(path)}/`)) faults.push({ file: nameOf(path), line: 1, reason: describeFailure(error) });
  };
  for (const path of filesBelow(folder, { onUnreadable })) {
    const file = nameOf(path);
    if (!isWanted(file)) continue;
    // One image that takes too long is a fault already. Each further one could take as long.
    const isDecoded = !faults.some(({ reason }) => reason === TAKES_TOO_LONG);
    const { url, fault } = await tryReadAsset({ file, path, root, isDecoded });
    assets[file] = url;
    if (fault !== undefined) faults.push({ file, line: 1, reason: fault });
  }
  return { assets, faults };
}

/** The characters of fonts, by the names of their assets. */
export type AssetGlyphs = Record<string, Coverage>;

/**
 * Finds the characters that the fonts among the assets have glyphs for. `glyphs` is absent where there is no font. `assets` has the
 * fonts as a document needs them, see {@link withTextForms}.
 */
export async function readAssetGlyphs(assets: Assets) {
  const fonts = Object.entries(assets).filter(([, url]) => FONT_URL.test(url));
  const faults: FileFault[] = [];
  const byFile: AssetGlyphs = {};
  const shown: Assets = { ...assets };
  for (const [file, url] of fonts) {
    const bytes = Buffer.from(url.replace(FONT_URL, ""), "base64");
    try {
      const cmap = await readCmap(bytes);
      const glyphs = readCoverage([cmap]);
      if (isCutShort(bytes)) {
        faults.push({ file, line: 1, reason: "The font is not whole: its end is missing. Copy it again." });
        continue;
      }
      byFile[file] = glyphs;
      const changed = await withTextForms(bytes, { cmap, glyphs });
      if (changed) shown[file] = `${FONT_URL.exec(url)?.[0]}${changed.toString("base64")}`;
    } catch {
      faults.push({ file, line: 1, reason: "The font cannot be read, want TrueType, OpenType or WOFF2." });
    }
  }
  return { assets: shown, byFile, faults, ...(fonts.length > 0 && { glyphs: joinCoverages(Object.values(byFile)) }) };
}

/** Says that a file is not there, such as `assets/lgo.svg`. Undefined for other addresses. */
export function missingAsset(address: string, assets: Assets): string | undefined {
  const name = address.replace(/^\.\//, "");
  if (!/^(?:assets|_parts)\/[^?#{}]+$/.test(name) || findAsset(assets, name) !== undefined) return undefined;
  const nearest = nearestName(name, Object.keys(assets));
  return `Got ${name}, which is not there.${nearest === undefined ? " Add the file, or correct its name." : ` Did you mean ${nearest}?`}`;
}
