import { type AtRule, type ChildNode, CssSyntaxError, parse, type Root } from "postcss";
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

/** A comment, or a string that ends in its line. */
const CLOSED = /\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/g;

/** The first line, from 1, with a quote that has no second one in it. */
function lineOfOpenString(source: string): number | undefined {
  const rest = source.replace(CLOSED, (text) => text.replace(/[^\n]/g, " "));
  const quote = rest.search(/["']/);
  return quote < 0 ? undefined : lineAt(rest, quote);
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

type Importing = { root: string; file: string; open: string[] };

function importSheet(rule: AtRule, { root, file, open }: Importing): FileFault[] {
  const [, double, single] = QUOTED_NAME.exec(rule.params.trim()) ?? [];
  const name = double ?? single;
  const fault = (reason: string) => [{ file, line: rule.source?.start?.line ?? 1, reason }];
  if (name === undefined || !/^_parts\/.*\.css$/.test(name) || rule.parent?.type !== "root")
    return fault(
      `Got @import ${rule.params.slice(0, SHOWN_CHARS)}, want only @import "_parts/name.css", or copy the rules into this file.`,
    );
  if (open.includes(name)) return fault(`"${name}" imports itself.`);
  try {
    const sheet = parseSheet(readPart(root, name), name);
    if ("reason" in sheet) return [sheet];
    const faults = importSheets(sheet, { root, file: name, open: [...open, name] });
    rule.replaceWith(sheet.nodes);
    return faults;
  } catch (error) {
    if (error instanceof FileRefused) return fault(`${error.message}.`);
    throw error;
  }
}

/** Replaces each `@import "_parts/…"` by the rules of that file. @returns the faults, with the file of each */
export function importSheets(sheet: Root, importing: Importing): FileFault[] {
  const rules: AtRule[] = [];
  sheet.walkAtRules("import", (rule) => {
    rules.push(rule);
  });
  return rules.flatMap((rule) => importSheet(rule, importing));
}
