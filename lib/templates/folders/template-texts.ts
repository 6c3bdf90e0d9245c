import { join } from "node:path";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { describeFailure, FileRefused, readText } from "../template-files.ts";

export const MANIFEST_FILE = "template.json";
export const CONTENT_FILE = "content.json";
export const STYLE_FILE = "style.css";

/** The text files of every template. */
export const TEXT_FILES = [MANIFEST_FILE, CONTENT_FILE, MARKUP_FILE, STYLE_FILE] as const;

/** The text files of a template, by name. */
export type Texts = Record<(typeof TEXT_FILES)[number], string>;

/** Reads the text files of a template's folder. @param root the templates folder around it */
export function readTexts({
  folder,
  root,
}: {
  folder: string;
  root: string;
}): { texts: Texts } | { faults: FileFault[] } {
  const texts: Partial<Texts> = {};
  const faults: FileFault[] = [];
  for (const file of TEXT_FILES) {
    try {
      texts[file] = readText(join(/* turbopackIgnore: true */ folder, file), root);
    } catch (error) {
      const line = error instanceof FileRefused ? error.line : 1;
      faults.push({ file, line, reason: describeFailure(error) });
    }
  }
  return faults.length > 0 ? { faults } : { texts: texts as Texts };
}
