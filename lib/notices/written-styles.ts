import type { AtRule, Declaration, Rule } from "postcss";
import { blank } from "#lib/templates/markup/mask-liquid.ts";
import { parseSheet } from "#lib/templates/shared/import-sheets.ts";
import { lineAt } from "#lib/templates/template-files.ts";
import { isMarkup, isSheet, type SourceText } from "./notice.ts";

type Place = { file: string; line: number };

/** What a browser may ignore in a style sheet or in a `style` attribute, and the name of an element, which it may not know. `sheet` is a style sheet that has it alone. */
export type Written = Place &
  (
    | { kind: "declaration"; property: string; value: string }
    | { kind: "descriptor"; property: string; value: string }
    | { kind: "selector"; selector: string }
    | { kind: "at-rule"; name: string; sheet: string }
    | { kind: "element"; name: string }
  );

/** At-rules that hold descriptors, which are no properties. */
const DESCRIPTOR_RULES = [
  "counter-style",
  "font-face",
  "font-feature-values",
  "font-palette-values",
  "page",
  "property",
];

/** At-rules that hold other rules or declarations, which are looked at by themselves. */
const AROUND_RULES = ["media", "supports", "container", "layer", "scope", "starting-style"];

/** At-rules that are replaced, refused or told otherwise. */
const TOLD_RULES = ["import", "charset", "namespace"];

export const LIQUID = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** What stands for the output of Liquid: a browser takes every value with a variable in it for a good one. */
const WRITTEN = " var(--liquid) ";

const STYLE_ATTRIBUTE = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

const ATTRIBUTE_DECLARATION = /^(?:\s|var\(--liquid\))*([\w-]+)\s*:(.*)$/s;

const lineOf = ({ source }: Declaration | Rule | AtRule) => source?.start?.line ?? 1;

function ruleAround({ parent }: Declaration | Rule): string | undefined {
  return parent?.type === "atrule" && "name" in parent ? String(parent.name).toLowerCase() : undefined;
}

function writtenDeclaration(declaration: Declaration, file: string): Written[] {
  const { prop: property, value } = declaration;
  const place = { file, line: lineOf(declaration) };
  const around = ruleAround(declaration);
  if (around === "font-face") return [{ ...place, kind: "descriptor", property, value }];
  return DESCRIPTOR_RULES.includes(around ?? "") ? [] : [{ ...place, kind: "declaration", property, value }];
}

/** A nested selector that begins with a combinator is one of the rule around it. */
function writtenSelectors(rule: Rule, file: string): Written[] {
  if (ruleAround(rule)?.endsWith("keyframes")) return [];
  return rule.selectors.map((text) => {
    const selector = /^[>+~]/.test(text) ? `& ${text}` : text;
    return { file, line: lineOf(rule), kind: "selector", selector };
  });
}

function writtenRule(rule: AtRule, file: string): Written[] {
  const name = rule.name.toLowerCase();
  if (TOLD_RULES.includes(name)) return [];
  const sheet = AROUND_RULES.includes(name) ? `@${name} ${rule.params}{}` : rule.toString();
  return [{ file, line: lineOf(rule), kind: "at-rule", name, sheet }];
}

function inSheet({ text, file }: SourceText): Written[] {
  const sheet = parseSheet(text, file);
  const found: Written[] = [];
  if ("reason" in sheet) return found;
  sheet.walk((node) => {
    if (node.type === "decl") found.push(...writtenDeclaration(node, file));
    if (node.type === "rule") found.push(...writtenSelectors(node, file));
    if (node.type === "atrule") found.push(...writtenRule(node, file));
  });
  return found;
}

/** The names of elements, each with its first line. One with a hyphen is an element of the author's own. MathML has other names. */
function elementsIn(plain: string, file: string): Written[] {
  const found = new Map<string, number>();
  if (/<math\b/i.test(plain)) return [];
  for (const { 1: name = "", index } of plain.matchAll(/<([a-z][a-z0-9]*)(?=[\s/>])/gi))
    if (!found.has(name)) found.set(name, index);
  return [...found].map(([name, index]) => ({ file, line: lineAt(plain, index), kind: "element", name }));
}

function inMarkup({ text, file }: SourceText): Written[] {
  // The lines stay where they are.
  const plain = text.replace(LIQUID, (liquid) => WRITTEN + liquid.replace(/[^\n]/g, ""));
  const elements = elementsIn(plain.replace(/<!--[\s\S]*?-->/g, blank), file);
  const declarations = [...plain.matchAll(STYLE_ATTRIBUTE)].flatMap(({ 1: double, 2: single, 3: bare, index }) =>
    (double ?? single ?? bare ?? "").split(";").flatMap((declaration): Written[] => {
      const [, property, value = ""] = ATTRIBUTE_DECLARATION.exec(declaration) ?? [];
      if (property === undefined) return [];
      const bare = value.replace(/!\s*important\s*$/i, "").trim();
      return [{ file, line: lineAt(plain, index + 1), kind: "declaration", property, value: bare }];
    }),
  );
  return [...declarations, ...elements];
}

/** Reads what a browser may ignore from a style sheet, or from the elements and `style` attributes of a markup. Other files have none. */
export function writtenIn(source: SourceText): Written[] {
  if (isSheet(source)) return inSheet(source);
  return isMarkup(source) ? inMarkup(source) : [];
}
