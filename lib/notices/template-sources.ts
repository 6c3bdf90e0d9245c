import { join, relative, sep } from "node:path";
import type { TemplateHome } from "#lib/templates/folders/template-home.ts";
import { CONTENT_FILE, MANIFEST_FILE } from "#lib/templates/folders/template-texts.ts";
import { namedParts } from "#lib/templates/shared/named-parts.ts";
import { filesBelow, readText } from "#lib/templates/template-files.ts";
import type { SourceText } from "./notice.ts";

/** The text of a file. Undefined for one that cannot be read, which has a fault of its own. */
function tryRead(path: string, root: string): string | undefined {
  try {
    return readText(path, root);
  } catch {
    return undefined;
  }
}

/** The style sheets and the markup below a folder. */
export function stylesBelow(folder: string, root: string): SourceText[] {
  const paths = [...filesBelow(folder)].filter((path) => /\.(?:css|html)$/.test(path)).toSorted();
  return paths.flatMap((path) => {
    const text = tryRead(path, root);
    return text === undefined ? [] : [{ file: relative(root, path).split(sep).join("/"), text }];
  });
}

/** The texts of a template, and of the shared files that it names. */
export function sourcesOf({ folder, root }: TemplateHome): SourceText[] {
  const json = [MANIFEST_FILE, CONTENT_FILE].flatMap((name) => {
    const path = join(/* turbopackIgnore: true */ folder, name);
    const text = tryRead(path, root);
    return text === undefined ? [] : [{ file: relative(root, path).split(sep).join("/"), text }];
  });
  const own = [...json, ...stylesBelow(folder, root)];
  const parts = namedParts(
    root,
    own.map(({ text }) => text),
  );
  return [...own, ...[...parts].map(([file, text]) => ({ file, text }))];
}
