import { relative, sep } from "node:path";
import type { Declaration } from "postcss";
import { templateFolders } from "#lib/config.ts";
import { SHIPPED } from "#lib/environment/kinds.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { renderPicture } from "#lib/render/render.ts";
import { SHIPPED_TEMPLATES_DIR } from "#lib/templates/build-registry.ts";
import { parseSheet } from "#lib/templates/shared/import-sheets.ts";
import { filesBelow, lineAt, readText } from "#lib/templates/template-files.ts";

/** A declaration of a style sheet or of a `style` attribute. `file` is relative to the templates folder. */
type Written = { file: string; line: number; property: string; value: string };

/** At-rules that hold descriptors, which are no properties. `CSS.supports` knows properties alone. */
const DESCRIPTOR_RULES = [
  "counter-style",
  "font-face",
  "font-feature-values",
  "font-palette-values",
  "page",
  "property",
];

const LIQUID = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** What stands for the output of Liquid: a browser takes every value with a variable in it for a good one. */
const WRITTEN = " var(--liquid) ";

const STYLE_ATTRIBUTE = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

const ATTRIBUTE_DECLARATION = /^(?:\s|var\(--liquid\))*([\w-]+)\s*:(.*)$/s;

/** How much of a value a message shows. */
const SHOWN_CHARS = 80;

function isDescriptor({ parent }: Declaration): boolean {
  return parent?.type === "atrule" && "name" in parent && DESCRIPTOR_RULES.includes(String(parent.name));
}

function inSheet(source: string, file: string): Written[] {
  const sheet = parseSheet(source, file);
  const found: Written[] = [];
  if ("reason" in sheet) return found;
  sheet.walkDecls((declaration) => {
    const { prop: property, value, source: place } = declaration;
    if (!isDescriptor(declaration)) found.push({ file, line: place?.start?.line ?? 1, property, value });
  });
  return found;
}

function inMarkup(source: string, file: string): Written[] {
  // The lines stay where they are.
  const plain = source.replace(LIQUID, (liquid) => WRITTEN + liquid.replace(/[^\n]/g, ""));
  return [...plain.matchAll(STYLE_ATTRIBUTE)].flatMap(({ 1: double, 2: single, index }) =>
    (double ?? single ?? "").split(";").flatMap((text) => {
      const [, property, value = ""] = ATTRIBUTE_DECLARATION.exec(text) ?? [];
      const bare = value.replace(/!\s*important\s*$/i, "").trim();
      return property === undefined ? [] : [{ file, line: lineAt(plain, index + 1), property, value: bare }];
    }),
  );
}

/** The text of a file. A file that cannot be read has a fault of its own. */
function tryRead(path: string, root: string): string {
  try {
    return readText(path, root);
  } catch {
    return "";
  }
}

function writtenIn(root: string): Written[] {
  const sources = [...filesBelow(root)].filter((path) => /\.(?:css|html)$/.test(path));
  return sources.toSorted().flatMap((path) => {
    const file = relative(root, path).split(sep).join("/");
    const source = tryRead(path, root);
    return path.endsWith(".css") ? inSheet(source, file) : inMarkup(source, file);
  });
}

/** Evaluated in the browser. @returns its properties, and which declarations it knows by property and by value */
const judge = (written: Written[]) => `((declarations) => {
  const names = [];
  for (const key in document.documentElement.style) names.push(key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase()));
  return {
    properties: names.filter((name) => CSS.supports(name, "inherit")),
    known: declarations.map(([property, value]) => [CSS.supports(property, "inherit"), CSS.supports(property, value)]),
  };
})(${JSON.stringify(written.map(({ property, value }) => [property, value]))})`;

type Judged = { properties: string[]; known: [isProperty: boolean, isDeclaration: boolean][] };

function describeProperty(property: string, properties: string[]): string {
  const nearest = nearestName(property, properties);
  return `Got "${property}", which is no CSS property. ${nearest === undefined ? "Remove it." : `Did you mean "${nearest}"?`}`;
}

function describeValue({ property, value }: Written): string {
  const line = value.replace(/\s+/g, " ");
  const text = line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
  return `Got "${property}: ${text}", which the browser ignores. Correct the value.`;
}

/**
 * Finds the declarations that the browser ignores, because it knows no such property or no such value of it: they change no
 * picture and give no other error.
 * @returns a message for each, with its file and line
 * @throws AppError as a render does
 */
export async function unknownStyles(): Promise<string[]> {
  const roots = templateFolders().map((folder) => (folder === SHIPPED ? SHIPPED_TEMPLATES_DIR : folder));
  const written = roots.flatMap(writtenIn);
  const { measured } = await renderPicture({
    html: "<!doctype html><p>",
    width: 16,
    height: 16,
    measure: judge(written),
  });
  const { properties, known } = measured as Judged;
  return written.flatMap((declaration, index) => {
    const { file, line, property } = declaration;
    const [isProperty = true, isDeclaration = true] = known[index] ?? [];
    if (isDeclaration) return [];
    return [`${file}:${line} ${isProperty ? describeValue(declaration) : describeProperty(property, properties)}`];
  });
}
