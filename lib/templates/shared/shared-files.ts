import { join } from "node:path";
import { FileRefused, readText } from "../template-files.ts";

/** The folder beside the templates that holds what several of them share. Its files are named as `_parts/…` everywhere. */
export const PARTS_FOLDER = "_parts";

/** The colours, families and logo of all templates of a folder. */
export const BRAND_FILE = "brand.json";

/** A path below {@link PARTS_FOLDER} in lower case, without `..`. */
export const PART_NAME = /^_parts(?:\/[a-z0-9][a-z0-9_-]*)+\.(?:html|css)$/;

/** Whether a file belongs to all templates of a folder rather than to one. */
export function isShared(file: string): boolean {
  return file === BRAND_FILE || file.startsWith(`${PARTS_FOLDER}/`);
}

/**
 * Reads a part by its name, such as `_parts/head.html`.
 * @param root the templates folder
 * @throws FileRefused for any other path, a link that leads out of the folder, or a file that is missing, too large or not in UTF-8
 */
export function readPart(root: string, name: string): string {
  if (!PART_NAME.test(name))
    throw new FileRefused(`Got "${name.slice(0, 60)}", want a file such as "${PARTS_FOLDER}/head.html", in lower case`);
  const path = join(/* turbopackIgnore: true */ root, name);
  try {
    return readText(path, join(/* turbopackIgnore: true */ root, PARTS_FOLDER));
  } catch (error) {
    if (error instanceof FileRefused) throw new FileRefused(`"${name}": ${error.message}`);
    const code = error instanceof Error && "code" in error ? error.code : "unknown";
    if (code !== "ENOENT") throw new FileRefused(`"${name}" cannot be read (${code})`);
    throw new FileRefused(`There is no file "${name}" in the templates folder`);
  }
}
