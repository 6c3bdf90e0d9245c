import { join } from "node:path";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { FileRefused, readText } from "../template-files.ts";

export const MANIFEST_FILE = "template.json";
export const CONTENT_FILE = "content.json";
export const STYLE_FILE = "style.css";

/** The text files of every template. */
export const TEXT_FILES = [MANIFEST_FILE, CONTENT_FILE, MARKUP_FILE, STYLE_FILE] as const;

/** The text files of a template, by name. */
export type Texts = Record<(typeof TEXT_FILES)[number], string>;

/** Says why a file cannot be used, without paths of the machine. @throws an error that is no fault of a file */
export function describeFailure(error: unknown): string {
  if (error instanceof FileRefused) return `${error.message}.`;
  if (error instanceof RangeError) return "The file is nested too deeply. Use fewer levels.";
  if (!(error instanceof Error && "code" in error)) throw error;
  return error.code === "ENOENT" ? "The file is missing." : `The file cannot be read (${error.code}).`;
}

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
