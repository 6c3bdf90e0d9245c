import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import sharp from "sharp";
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

/** What a template may name: the files of its `assets` folder. Links are followed, as mounted configuration has them, within the template. */
export async function readAssets(templateDir: string): Promise<{ assets: Assets; faults: FileFault[] }> {
  const folder = join(/* turbopackIgnore: true */ templateDir, "assets");
  const assets: Assets = {};
  const faults: FileFault[] = [];
  if (!existsSync(folder)) return { assets, faults };
  const root = realpathSync(templateDir) + sep;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(/* turbopackIgnore: true */ entry.parentPath, entry.name);
    const stats = statSync(path);
    if (stats.isDirectory()) continue;
    const file = `assets${path.slice(folder.length)}`;
    const type = MEDIA_TYPES[extname(entry.name).toLowerCase()];
    const refuse = (reason: string) => faults.push({ file, line: 1, reason });
    if (!realpathSync(path).startsWith(root)) refuse("Got a link that leads out of the template's folder.");
    else if (!stats.isFile()) refuse("Got a device, want a file.");
    else if (!type) refuse(`Files of this kind are not used, want ${Object.keys(MEDIA_TYPES).join(", ")}.`);
    else if (stats.size > MAX_ASSET_BYTES) refuse(`Got ${stats.size} bytes, want at most ${MAX_ASSET_BYTES}.`);
    else {
      const bytes = readFileSync(path);
      const fault = type.startsWith("image/") ? await imageFault(bytes) : undefined;
      if (fault) refuse(fault);
      // There all the same: what names it is not at fault.
      assets[file] = `data:${type};base64,${bytes.toString("base64")}`;
    }
  }
  return { assets, faults };
}
