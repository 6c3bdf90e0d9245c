import { type AtRule, type ChildNode, CssSyntaxError, parse, type Root } from "postcss";
import { MAX_TOLD } from "../faults/first-faults.ts";
import type { FileFault } from "../template.ts";
import { FileRefused, lineAt } from "../template-files.ts";
import { readPart } from "./shared-files.ts";

const QUOTED_NAME = /^(?:"([^"]*)"|'([^']*)')$/;

/** Parse trees keep only absolute names of files. */
const ROOT = "/";

/** The file that a rule or declaration comes from, as the template names it. */
export function fileOf(node: ChildNode, own: string): string {
  return node.source?.input.file?.slice(ROOT.length) || own;
}

/** What comes before a comment or a string, and the part of a string that is in its line. */
const PARTS = { plain: /(?:[^"'/]|\/(?!\*))*/y, double: /(?:[^"\\\n]|\\[\s\S])*/y, single: /(?:[^'\\\n]|\\[\s\S])*/y };

/** Where a part that begins at an offset ends. */
function endOf(part: RegExp, source: string, start: number): number {
  part.lastIndex = start;
  return part.test(source) ? part.lastIndex : start;
}

/** The first line, from 1, with a quote that has no second one in it. It takes time in proportion to the file, whatever is in it. */
function lineOfOpenString(source: string): number | undefined {
  for (let at = endOf(PARTS.plain, source, 0); at < source.length; at = endOf(PARTS.plain, source, at)) {
    const sign = source[at];
    if (sign === "/") {
      const end = source.indexOf("*/", at + 2);
      if (end < 0) return undefined;
      at = end + 2;
      continue;
    }
    const end = endOf(sign === '"' ? PARTS.double : PARTS.single, source, at + 1);
    if (source[end] !== sign) return lineAt(source, at);
    at = end + 1;
  }
  return undefined;
}

/** Parses a style sheet, whose nodes remember the file. */
export function parseSheet(source: string, file: string): Root | FileFault {
  if (/<\/style/i.test(source))
    return { file, line: 1, reason: "Got </style, which would end the style sheet. Remove it." };
  try {
    return parse(source, { from: ROOT + file });
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    const reason = `The style sheet is not valid CSS: ${error.reason}.`;
    // The parser names the last quote of the file, which has no second one because an earlier one has none.
    const isQuote = error.reason === "Unclosed string";
    return { file, line: (isQuote ? lineOfOpenString(source) : error.line) ?? 1, reason };
  }
}

/** How much of an address a message shows. */
const SHOWN_CHARS = 60;

/** How many sheets may be imported into one. Sheets that import others twice double at every level. */
const MAX_SHEETS = 100;

/** After so many characters, no further sheet is imported. */
const MAX_CHARS = 1_000_000;

/** What was imported into a style sheet so far. */
class Imported {
  #sheets = 0;
  #chars = 0;

  /** @throws FileRefused as {@link readPart}, or when there is too much already */
  read(root: string, name: string): string {
    if (this.#chars > MAX_CHARS) throw new FileRefused(`The imported sheets have more than ${MAX_CHARS} characters`);
    if (++this.#sheets > MAX_SHEETS) throw new FileRefused(`More than ${MAX_SHEETS} style sheets are imported`);
    const text = readPart(root, name);
    this.#chars += text.length;
    return text;
  }
}

type Importing = { root: string; file: string; open: string[]; imported?: Imported };

/** The rules of the sheet that an import names, or its faults. */
function readImport(
  rule: AtRule,
  { root, file, open, imported }: Required<Importing>,
): { nodes: ChildNode[]; faults: FileFault[] } {
  const [, double, single] = QUOTED_NAME.exec(rule.params.trim()) ?? [];
  const name = double ?? single;
  const fault = (reason: string) => ({ nodes: [], faults: [{ file, line: rule.source?.start?.line ?? 1, reason }] });
  if (name === undefined || !/^_parts\/.*\.css$/.test(name) || rule.parent?.type !== "root")
    return fault(
      `Got @import ${rule.params.slice(0, SHOWN_CHARS)}, want only @import "_parts/name.css", or copy the rules into this file.`,
    );
  if (open.includes(name)) return fault(`"${name}" imports itself.`);
  try {
    const sheet = parseSheet(imported.read(root, name), name);
    if ("reason" in sheet) return { nodes: [], faults: [sheet] };
    const faults = importSheets(sheet, { root, file: name, open: [...open, name], imported });
    return { nodes: sheet.nodes, faults };
  } catch (error) {
    if (error instanceof FileRefused) return fault(`${error.message}.`);
    throw error;
  }
}

/** Puts the imported rules in the places of the imports, all at once: each single replacement would search all rules. */
function replaceImports(sheet: Root, imports: Map<ChildNode, ChildNode[]>): void {
  const nodes = sheet.nodes.flatMap((node) => imports.get(node) ?? [node]);
  for (const node of nodes) node.parent = undefined;
  sheet.nodes = [];
  sheet.append(nodes);
}

/** Replaces each `@import "_parts/…"` by the rules of that file. @returns the faults, with the file of each */
export function importSheets(sheet: Root, { imported = new Imported(), ...rest }: Importing): FileFault[] {
  const rules: AtRule[] = [];
  sheet.walkAtRules("import", (rule) => {
    rules.push(rule);
  });
  const faults: FileFault[] = [];
  const imports = new Map<ChildNode, ChildNode[]>();
  for (const rule of rules) {
    // No more faults are reported.
    if (faults.length >= MAX_TOLD) break;
    const read = readImport(rule, { ...rest, imported });
    faults.push(...read.faults);
    imports.set(rule, read.nodes);
  }
  if (imports.size > 0) replaceImports(sheet, imports);
  return faults;
}
