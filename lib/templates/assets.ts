import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { sharp } from "#lib/sharp.ts";
import { filesBelow } from "./files.ts";
import type { FileFault } from "./template.ts";

/** An asset is part of every document that is drawn. */
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

/** `assets/…` as a template's files name it → `data:` URL. */
export type Assets = Record<string, string>;

/** What is wrong with an asset that is an image: one that cannot be drawn would be missing from every picture. */
async function imageFault(bytes: Buffer): Promise<string | undefined> {
  try {
    await sharp(bytes, { failOn: "truncated" }).stats();
    return undefined;
  } catch (error) {
    return `The image cannot be decoded: ${error instanceof Error ? error.message.split("\n")[0] : error}.`;
  }
}

type Asset = { file: string; path: string; root: string };

/** @returns the asset as a `data:` URL where it has one, and what is wrong with it where something is */
async function readAsset({ file, path, root }: Asset): Promise<{ url?: string; fault?: string }> {
  const type = MEDIA_TYPES[extname(file).toLowerCase()];
  const stats = statSync(path);
  if (!realpathSync(path).startsWith(root)) return { fault: "Got a link that leads out of the template's folder." };
  if (!stats.isFile()) return { fault: "Got a folder or a device, want a file." };
  if (!type) return { fault: `Files of this kind are not used, want ${Object.keys(MEDIA_TYPES).join(", ")}.` };
  if (stats.size > MAX_ASSET_BYTES) return { fault: `Got ${stats.size} bytes, want at most ${MAX_ASSET_BYTES}.` };
  const bytes = readFileSync(path);
  const fault = type.startsWith("image/") ? await imageFault(bytes) : undefined;
  // There all the same: what names it is not at fault.
  return { url: `data:${type};base64,${bytes.toString("base64")}`, ...(fault && { fault }) };
}

/** What a template may name: the files of its `assets` folder. */
export async function readAssets(templateDir: string): Promise<{ assets: Assets; faults: FileFault[] }> {
  const folder = join(/* turbopackIgnore: true */ templateDir, "assets");
  const assets: Assets = {};
  const faults: FileFault[] = [];
  if (!existsSync(folder)) return { assets, faults };
  const root = realpathSync(templateDir) + sep;
  for (const path of filesBelow(folder)) {
    const file = `assets${path.slice(folder.length)}`;
    const { url, fault } = await readAsset({ file, path, root });
    if (url !== undefined) assets[file] = url;
    if (fault !== undefined) faults.push({ file, line: 1, reason: fault });
  }
  return { assets, faults };
}
