import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { TemplateHome } from "#lib/templates/folders/template-home.ts";
import { CONTENT_FILE, MANIFEST_FILE } from "#lib/templates/folders/template-texts.ts";
import { namedParts } from "#lib/templates/shared/named-parts.ts";
import { PARTS_FOLDER } from "#lib/templates/shared/shared-files.ts";
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

function textsBelow(folder: string, root: string, kind: RegExp): SourceText[] {
  const paths = [...filesBelow(folder)].filter((path) => kind.test(path)).toSorted();
  return paths.flatMap((path) => {
    const text = tryRead(path, root);
    return text === undefined ? [] : [{ file: relative(root, path).split(sep).join("/"), text }];
  });
}

/** The style sheets and the markup below a folder. */
export function stylesBelow(folder: string, root: string): SourceText[] {
  return textsBelow(folder, root, /\.(?:css|html)$/);
}

/** The SVG files below a folder. */
export function drawingsBelow(folder: string, root: string): SourceText[] {
  return textsBelow(folder, root, /\.svg$/i);
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

/** The SVG files of a template, and the shared ones that its texts name. */
function drawingsOf({ folder, root }: TemplateHome, sources: SourceText[]): SourceText[] {
  const parts = join(/* turbopackIgnore: true */ root, PARTS_FOLDER);
  const shared = existsSync(parts) ? drawingsBelow(parts, root) : [];
  return [
    ...drawingsBelow(folder, root),
    ...shared.filter(({ file }) => sources.some(({ text }) => text.includes(file))),
  ];
}

/** What the notices of a template are found in. */
export type TemplateTexts = {
  sources: SourceText[];
  /** Its SVG files. */
  drawings: SourceText[];
};

/** Reads what the notices of a template are found in. */
export function textsOf(home: TemplateHome): TemplateTexts {
  const sources = sourcesOf(home);
  return { sources, drawings: drawingsOf(home, sources) };
}
