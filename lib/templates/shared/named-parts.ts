import { FileRefused } from "../template-files.ts";
import { readPart } from "./shared-files.ts";

const NAMED_PART = /_parts(?:\/[a-z0-9][a-z0-9_-]*)+\.(?:html|css)/g;

function tryReadPart(root: string, name: string): string | undefined {
  try {
    return readPart(root, name);
  } catch (error) {
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
}

/**
 * The texts of the parts that some texts name, and of those that they name, by their names. What cannot be read is left out.
 * @param root the templates folder
 */
export function namedParts(root: string, texts: string[]): Map<string, string> {
  const found = new Map<string, string>();
  const search = (text: string): void => {
    for (const [name] of text.matchAll(NAMED_PART)) {
      const part = found.has(name) ? undefined : tryReadPart(root, name);
      if (part === undefined) continue;
      found.set(name, part);
      search(part);
    }
  };
  for (const text of texts) search(text);
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
