import postcss, { type Container, CssSyntaxError, type Declaration, type Rule } from "postcss";
import { elementsOf, type HtmlElement } from "#lib/templates/document-tree.ts";
import { MASK, maskLiquid } from "#lib/templates/markup/mask-liquid.ts";
import { parseSheet } from "#lib/templates/shared/import-sheets.ts";
import { lineAt } from "#lib/templates/template-files.ts";
import { isMarkup, isSheet, type SourceText } from "./notice.ts";

/** Pseudo-elements that are boxes of their own. "" is the element itself. */
export type Pseudo = "" | "::before" | "::after";

/** What a rule selects. */
export type Target = { selector: string; pseudo: Pseudo };

type JudgedDeclaration = { property: string; value: string; line: number };

/** A rule of a style sheet, or one declaration of a `style` attribute, as the page looks for its elements. */
export type JudgedRule = {
  file: string;
  targets: Target[];
  declarations: JudgedDeclaration[];
  /** Of a `style` attribute: only elements count that have the property there. */
  isInline: boolean;
  /** Whether Liquid may leave it out. */
  isConditional: boolean;
};

const declarationsOf = ({ nodes = [] }: Container) => nodes.filter((node): node is Declaration => node.type === "decl");

function judged({ prop, value, source }: Declaration, firstLine = 1): JudgedDeclaration {
  return { property: prop.toLowerCase(), value, line: (source?.start?.line ?? 1) + firstLine - 1 };
}

/** Undefined for a pseudo-element that is no box of its own, such as `::first-line`. */
function targetOf(selector: string): Target | undefined {
  const [, base = "", name] = /^(.*?)::?(before|after)$/is.exec(selector.trim()) ?? [];
  if (name === undefined) return selector.includes("::") ? undefined : { selector, pseudo: "" };
  const pseudo = name.toLowerCase() === "before" ? "::before" : "::after";
  return { selector: /(?:^|[\s>+~])$/.test(base) ? `${base}*` : base, pseudo };
}

/** The rules of a sheet that stand for themselves: not in another rule or at-rule. */
function inSheet({ file, text }: SourceText): JudgedRule[] {
  const sheet = parseSheet(text, file);
  if ("reason" in sheet) return [];
  const rules = sheet.nodes.filter((node): node is Rule => node.type === "rule");
  return rules.flatMap((rule) => {
    const targets = rule.selectors.map(targetOf);
    if (targets.includes(undefined)) return [];
    const declarations = declarationsOf(rule).map((declaration) => judged(declaration));
    return { file, targets: targets as Target[], declarations, isInline: false, isConditional: false };
  });
}

function parseAttribute(style: string): Declaration[] {
  try {
    return declarationsOf(postcss.parse(style));
  } catch (error) {
    if (error instanceof CssSyntaxError) return [];
    throw error;
  }
}

/** Selects the elements that may have the `style` attribute of this one: its name, and the classes that it always has. */
function selectorOf({ tagName, attrs }: HtmlElement): string {
  const words = attrs.find(({ name }) => name === "class")?.value.split(/\s+/) ?? [];
  const fixed = words.filter((word) => /^[a-z_-][\w-]*$/i.test(word));
  return [tagName, ...fixed.map((word) => `.${word}`), "[style]"].join("");
}

/** The declarations of `style` attributes. Those of SVG have rules of their own. */
function inMarkup({ file, text }: SourceText): JudgedRule[] {
  return elementsOf(maskLiquid(text)).flatMap((element): JudgedRule[] => {
    const style = element.attrs.find(({ name }) => name === "style");
    const place = element.sourceCodeLocation;
    const start = place?.attrs?.style?.startOffset;
    if (!style || !place || start === undefined || element.namespaceURI !== "http://www.w3.org/1999/xhtml") return [];
    const tag = text.slice(place.startOffset, place.startTag?.endOffset ?? place.endOffset);
    // Classes that Liquid may leave out are not in the selector.
    const isConditional = tag.includes("{%");
    const selector = isConditional ? `${element.tagName}[style]` : selectorOf(element);
    const declarations = parseAttribute(style.value).filter(({ prop }) => !prop.includes(MASK));
    return declarations.map((declaration) => ({
      file,
      targets: [{ selector, pseudo: "" }],
      declarations: [judged(declaration, lineAt(text, start))],
      isInline: true,
      isConditional,
    }));
  });
}

/** All rules and `style` attributes of a template, in an order that is always the same. */
export function rulesOf(sources: SourceText[]): JudgedRule[] {
  return [...sources.filter(isSheet).flatMap(inSheet), ...sources.filter(isMarkup).flatMap(inMarkup)];
}

/** Whether {@link rulesOf} leaves a rule out because one of its selectors has no box, though another one has. */
function isMixed({ selectors }: Rule): boolean {
  const targets = selectors.map(targetOf);
  return targets.includes(undefined) && targets.some((target) => target !== undefined);
}

/** Whether a style sheet decides in a rule whose elements are not looked for: in an at-rule, in another rule, or with a mixed list of selectors. */
export function decidesElsewhere(sources: SourceText[], deciding: RegExp): boolean {
  return sources.filter(isSheet).some(({ file, text }) => {
    const sheet = parseSheet(text, file);
    let isFound = "reason" in sheet;
    if (!("reason" in sheet))
      sheet.walkDecls(deciding, ({ parent }) => {
        if (parent?.type === "rule" && (parent.parent?.type !== "root" || isMixed(parent as Rule))) isFound = true;
      });
    return isFound;
  });
}

/** A class attribute, and what Liquid writes in it under a condition. */
const CLASS_ATTRIBUTE = /\sclass\s*=\s*(?:"((?:\{\{.*?\}\}|\{%.*?%\}|[^"])*)"|'((?:\{\{.*?\}\}|\{%.*?%\}|[^'])*)')/gis;
const CONDITION = /\{%-?\s*(?:if|unless|case)\b.*?\{%-?\s*end\w+\s*-?%\}/gs;

function classAttributes(sources: SourceText[]): string[] {
  return sources
    .filter(isMarkup)
    .flatMap(({ text }) => [...text.matchAll(CLASS_ATTRIBUTE)].map(([, double, single]) => double ?? single ?? ""));
}

/** The classes that elements have under a condition only. */
export function conditionalClasses(sources: SourceText[]): string[] {
  const written = classAttributes(sources).flatMap((value) => value.match(CONDITION) ?? []);
  return written.flatMap((text) => text.replaceAll(/\{[{%].*?[%}]\}/gs, " ").match(/[\w-]+/g) ?? []);
}

/** The classes that some element always has. Other elements never get them. */
export function fixedClasses(sources: SourceText[]): string[] {
  const attributes = classAttributes(sources).map((value) => value.replaceAll(CONDITION, " "));
  return attributes.flatMap((value) => value.split(/\s+/).filter((word) => /^[\w-]+$/.test(word)));
}
