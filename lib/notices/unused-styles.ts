import { nearestName } from "#lib/nearest-name.ts";
import { BRAND_PROPERTY } from "#lib/templates/shared/brand-properties.ts";
import { parseSheet } from "#lib/templates/shared/import-sheets.ts";
import { isShared } from "#lib/templates/shared/shared-files.ts";
import { lineAt } from "#lib/templates/template-files.ts";
import { isMarkup, isSheet, type Notice, type SourceText } from "./notice.ts";
import { LIQUID } from "./written-styles.ts";

/** Stands for what Liquid writes, which no file contains otherwise. */
const ANYTHING = "\u0000";

const CLASS_ATTRIBUTE = /\sclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

const ID_ATTRIBUTE = /\sid\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/** The words of the `class` attributes of a markup, with {@link ANYTHING} for what Liquid writes. */
function classWords({ text }: SourceText): string[] {
  const plain = text.replace(LIQUID, ANYTHING);
  return [...plain.matchAll(CLASS_ATTRIBUTE)].flatMap(([, double, single, bare]) =>
    (double ?? single ?? bare ?? "").split(/\s+/).filter((word) => word !== ""),
  );
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const FILE_NAME = /\b(?:assets|_parts)\/[\w./-]+/g;

/** Tells whether an element may have a class: some file has the word, or Liquid may write it. */
function classTest(sources: SourceText[]): (name: string) => boolean {
  const words = sources.filter(isMarkup).flatMap(classWords);
  const written = words
    .filter((word) => word.includes(ANYTHING))
    .map((word) => new RegExp(`^${word.split(ANYTHING).map(escaped).join("[\\w-]*")}$`));
  // Options of a select field become classes, and so do texts of {% assign %}. Names of files do not.
  const texts = sources.filter((source) => !isSheet(source)).map(({ text }) => text.replace(FILE_NAME, " "));
  return (name) => {
    const word = new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`);
    return written.some((pattern) => pattern.test(name)) || texts.some((text) => word.test(text));
  };
}

/** Strings, attributes, negations, and functions whose argument is no selector. What is left of a selector has names in it. */
const NO_NAMES = /"[^"]*"|'[^']*'|\[[^\]]*\]|::?(?!is\(|where\(|has\()[\w-]+(?:\([^()]*\))?/g;

const CLASS_NAME = /\.(-?[_a-z][\w-]*)/gi;
const ID_NAME = /#(-?[_a-z][\w-]*)/gi;

type NamedIn = { name: string; line: number };

/** The names of a kind that the selectors of a style sheet have, each once, with the first line. */
function namesIn({ file, text }: SourceText, kind: RegExp): NamedIn[] {
  const sheet = parseSheet(text, file);
  const found = new Map<string, number>();
  if ("reason" in sheet) return [];
  sheet.walkRules(({ selector, source, parent }) => {
    if (parent?.type === "atrule" && "name" in parent && String(parent.name).endsWith("keyframes")) return;
    for (const [, name = ""] of selector.replace(NO_NAMES, "").matchAll(kind))
      if (!found.has(name)) found.set(name, source?.start?.line ?? 1);
  });
  return [...found].map(([name, line]) => ({ name, line }));
}

/** The ids that the selectors of a style sheet name. None of a file that is no style sheet. */
export function idsOf(source: SourceText): NamedIn[] {
  return isSheet(source) ? namesIn(source, ID_NAME) : [];
}

/** Ids in a style sheet that no element has. One that Liquid writes may be any. */
function unknownIds(sources: SourceText[]): Notice[] {
  const plain = sources.filter(isMarkup).map(({ text }) => text.replace(LIQUID, ANYTHING));
  const known = plain.flatMap((text) =>
    [...text.matchAll(ID_ATTRIBUTE)].map(([, double, single]) => double ?? single ?? ""),
  );
  if (known.some((id) => id.includes(ANYTHING))) return [];
  const own = sources.filter(({ file }) => !isShared(file));
  return own.flatMap((source) =>
    idsOf(source)
      .filter(({ name }) => !known.includes(name))
      .map(({ name, line }) => {
        const nearest = nearestName(name, known);
        const advice = nearest === undefined ? "Correct the name, or remove the rule." : `Did you mean "#${nearest}"?`;
        return { file: source.file, line, reason: `Got "#${name}", but no element has this id. ${advice}` };
      }),
  );
}

function unusedClasses(sources: SourceText[]): Notice[] {
  const mayHave = classTest(sources);
  const known = sources
    .filter(isMarkup)
    .flatMap(classWords)
    .filter((word) => !word.includes(ANYTHING));
  // A shared style sheet also has rules for other templates.
  const own = sources.filter((source) => isSheet(source) && !isShared(source.file));
  return own.flatMap((source) =>
    namesIn(source, CLASS_NAME)
      .filter(({ name }) => !mayHave(name))
      .map(({ name, line }) => {
        const nearest = nearestName(name, known);
        const advice = nearest === undefined ? "Correct the name, or remove the rule." : `Did you mean ".${nearest}"?`;
        return { file: source.file, line, reason: `Got ".${name}", but no element has this class. ${advice}` };
      }),
  );
}

const COMMENT = /<!--[\s\S]*?-->|\/\*[\s\S]*?\*\//g;

/** A use without a fallback, which stands after a comma. */
const USE = /var\(\s*(--[\w-]+)\s*\)/g;

/** A declaration in a style sheet or attribute, or the name of `@property`. */
const DECLARED = /(?:(?<![\w(-])|@property\s+)(--[\w-]+)(?=\s*[:{])/g;

/** A name that Liquid writes in part. */
const WRITTEN_NAME = /--[\w-]*\{[{%]/;

function undeclaredProperties(sources: SourceText[]): Notice[] {
  // The lines stay where they are.
  const plain = sources
    .filter((source) => isSheet(source) || isMarkup(source))
    .map(({ file, text }) => ({ file, text: text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, " ")) }));
  if (plain.some(({ text }) => WRITTEN_NAME.test(text))) return [];
  const declared = new Set(plain.flatMap(({ text }) => [...text.matchAll(DECLARED)].map(([, name = ""]) => name)));
  return plain
    .filter(({ file }) => !isShared(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(USE)].flatMap(({ 1: name = "", index }) => {
        if (declared.has(name) || BRAND_PROPERTY.test(name)) return [];
        const nearest = nearestName(name, [...declared]);
        const advice =
          nearest === undefined ? "Declare it, or add a fallback after a comma." : `Did you mean "${nearest}"?`;
        const reason = `Got var(${name}), which nothing declares, so the browser ignores the declaration. ${advice}`;
        return [{ file, line: lineAt(text, index), reason }];
      }),
    );
}

/**
 * Finds what the style sheet of a template says about nothing: classes and ids that no element has, and custom properties that
 * nothing declares. A template whose markup cannot be read has a fault instead.
 * @param sources the files of one template, with the shared ones that it names
 */
export function unusedStyles(sources: SourceText[]): Notice[] {
  if (!sources.some((source) => isMarkup(source) && !isShared(source.file))) return [];
  return [...unusedClasses(sources), ...unknownIds(sources), ...undeclaredProperties(sources)];
}
