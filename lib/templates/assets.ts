import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

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

/** What a template may name: the files of its `assets` folder. Files of other kinds are left out. */
export function readAssets(templateDir: string): Assets {
  const folder = join(/* turbopackIgnore: true */ templateDir, "assets");
  if (!existsSync(folder)) return {};
  const assets: Assets = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const type = MEDIA_TYPES[extname(entry.name).toLowerCase()];
    if (!entry.isFile() || !type) continue;
    const path = join(/* turbopackIgnore: true */ entry.parentPath, entry.name);
    assets[`assets${path.slice(folder.length)}`] = `data:${type};base64,${readFileSync(path, "base64")}`;
  }
  return assets;
}
