import type { Container, Declaration, Rule } from "postcss";
import { parseSheet } from "#lib/templates/shared/import-sheets.ts";
import { isShared } from "#lib/templates/shared/shared-files.ts";
import { NEED_OF, NEEDS, type Need } from "./idle-needs.ts";
import type { Notice, SourceText } from "./notice.ts";

/** A rule of a style sheet, as the page looks for its elements. */
type PlainRule = { file: string; selector: string; declarations: { property: string; value: string; line: number }[] };

/** The name and the classes of an element. */
type Names = { tag: string; classes: string[] };

/** What one picture tells about a rule: its elements with those around them, and the properties that have an effect on none. */
type SeenRule = { elements: { own: Names; around: Names }[]; idle: string[] };

/** What one picture tells about the style sheets of its template. */
export type SeenStyles = {
  rules: SeenRule[];
  /** Whether the elements with `data-fit` may break their lines, by the name of their field or of that of an item. */
  wraps: Record<string, boolean>;
};

/** Values that reset a property. They may stand anywhere. */
const RESETS = /^(?:0[a-z%]*|auto|none|normal|static|initial|inherit|unset|revert(?:-layer)?|start|stretch)$/i;

/** Properties that decide whether other declarations have an effect. */
const LAYOUT = /^(?:display|position|column-count|column-width|columns|overflow(?:-[xy])?)$/;

/** Properties that decide whether a text may have several lines. */
const WRAPPING = /^(?:white-space|text-wrap|text-wrap-mode)$/;

/** A class attribute, and what Liquid writes in it under a condition. */
const CLASS_ATTRIBUTE = /\sclass\s*=\s*(?:"((?:\{\{.*?\}\}|\{%.*?%\}|[^"])*)"|'((?:\{\{.*?\}\}|\{%.*?%\}|[^'])*)')/gis;
const CONDITION = /\{%-?\s*(?:if|unless|case)\b.*?\{%-?\s*end\w+\s*-?%\}/gs;

const declarationsOf = ({ nodes = [] }: Container) => nodes.filter((node): node is Declaration => node.type === "decl");

/** The rules that stand for themselves: not in another rule or at-rule, and without pseudo-elements. */
function plainRules({ file, text }: SourceText): PlainRule[] {
  const sheet = parseSheet(text, file);
  if ("reason" in sheet) return [];
  const rules = sheet.nodes.filter((node): node is Rule => node.type === "rule" && !node.selector.includes("::"));
  return rules.map((rule) => ({
    file,
    selector: rule.selector,
    declarations: declarationsOf(rule).map(({ prop, value, source }) => ({
      property: prop.toLowerCase(),
      value,
      line: source?.start?.line ?? 1,
    })),
  }));
}

/** Whether a style sheet decides in an at-rule or in a nested rule, whose elements are not looked for. */
function decidesElsewhere(sources: SourceText[], deciding: RegExp): boolean {
  return sources.filter(isSheet).some(({ file, text }) => {
    const sheet = parseSheet(text, file);
    let isFound = "reason" in sheet;
    if (!("reason" in sheet))
      sheet.walkDecls(deciding, ({ parent }) => {
        if (parent?.type === "rule" && parent.parent?.type !== "root") isFound = true;
      });
    return isFound;
  });
}

function classAttributes(sources: SourceText[]): string[] {
  return sources
    .filter(({ file }) => file.endsWith(".html"))
    .flatMap(({ text }) => [...text.matchAll(CLASS_ATTRIBUTE)].map(([, double, single]) => double ?? single ?? ""));
}

/** The classes that elements have under a condition only. */
function conditionalClasses(sources: SourceText[]): string[] {
  const written = classAttributes(sources).flatMap((value) => value.match(CONDITION) ?? []);
  return written.flatMap((text) => text.replaceAll(/\{[{%].*?[%}]\}/gs, " ").match(/[\w-]+/g) ?? []);
}

const isSheet = ({ file }: SourceText) => file.endsWith(".css");

const rulesOf = (sources: SourceText[]) => sources.filter(isSheet).flatMap(plainRules);

/** Runs in the browser, which gets it as source text. */
function lookInPage(rules: { selector: string; properties: string[] }[], needOf: Record<string, Need>): SeenStyles {
  const isSvg = (element: Element) => element.namespaceURI !== "http://www.w3.org/1999/xhtml";
  const displayOf = (element: Element | null): string => {
    const display = element ? getComputedStyle(element).display : "";
    return display === "contents" ? displayOf(element?.parentElement ?? null) : display;
  };
  const isFlex = (display: string) => /flex/.test(display);
  const isGrid = (display: string) => /grid/.test(display);
  const met: Record<Need, (element: Element, style: CSSStyleDeclaration, display: string, around: string) => boolean> =
    {
      container: (_, __, display) => isFlex(display) || isGrid(display),
      gaps: (_, { columnCount, columnWidth }, display) =>
        isFlex(display) || isGrid(display) || columnCount !== "auto" || columnWidth !== "auto",
      flex: (_, __, display) => isFlex(display),
      grid: (_, __, display) => isGrid(display),
      flexItem: (_, { position }, __, around) => isFlex(around) && !/absolute|fixed/.test(position),
      gridItem: (_, __, ___, around) => isGrid(around),
      item: (_, { position }, __, around) => isFlex(around) || isGrid(around) || /absolute|fixed/.test(position),
      box: (element, _, display) => display !== "inline" || /^(?:img|svg|br|wbr)$/.test(element.localName),
      placed: (_, { position }) => position !== "static",
      stacked: (_, { position }, __, around) => position !== "static" || isFlex(around) || isGrid(around),
      image: ({ localName }) => localName === "img" || localName === "svg",
      table: (_, __, display) => /table$/.test(display),
      aligned: (_, __, display) => /^inline|table-cell/.test(display),
      clipped: (_, { overflowX }) => overflowX !== "visible",
    };
  const isIdle = (element: Element, property: string) => {
    const style = getComputedStyle(element);
    const need = needOf[property];
    return need !== undefined && !met[need](element, style, style.display, displayOf(element.parentElement));
  };
  // An element without a box, such as one that is hidden here, tells nothing. Shapes of SVG have rules of their own.
  const elementsOf = (selector: string) => {
    try {
      return Array.from(document.querySelectorAll(selector)).filter(
        (element) => element.getClientRects().length > 0 && !(isSvg(element) && element.localName !== "svg"),
      );
    } catch {
      return [];
    }
  };
  const namesOf = (element: Element | null): Names => ({
    tag: element?.localName ?? "",
    classes: Array.from(element?.classList ?? []),
  });
  const seen = rules.map(({ selector, properties }): SeenRule => {
    const elements = elementsOf(selector);
    return {
      elements: elements.map((element) => ({ own: namesOf(element), around: namesOf(element.parentElement) })),
      idle: properties.filter((property) => elements.every((element) => isIdle(element, property))),
    };
  });
  const fitted = Array.from(document.querySelectorAll<HTMLElement>("[data-fit]"));
  // The engine has written its own lines into the element.
  for (const { style } of fitted) style.removeProperty("text-wrap");
  const mayWrap = (element: HTMLElement) => getComputedStyle(element).getPropertyValue("text-wrap-mode") !== "nowrap";
  const wraps = fitted.map((element): [string, boolean] => [element.dataset.fit ?? "", mayWrap(element)]);
  return { rules: seen, wraps: Object.fromEntries(wraps) };
}

/** An expression that looks at a drawn page. Its value is of type {@link SeenStyles}. */
export function lookExpression(sources: SourceText[]): string {
  const rules = rulesOf(sources).map(({ selector, declarations }) => ({
    selector,
    properties: declarations.map(({ property }) => property),
  }));
  return `(${lookInPage})(${JSON.stringify(rules)}, ${JSON.stringify(NEED_OF)})`;
}

/** A rule that decides a property of elements that the pictures may not show, or not without it. */
type Doubt = { selector: string; properties: string[] };

/**
 * The rules by which other values of the fields may change what the pictures show: one that no picture has an element of, and one
 * with a condition that all pictures meet.
 */
function doubtsAbout(deciding: RegExp, sources: SourceText[], seen: SeenStyles[]): Doubt[] {
  const conditional = conditionalClasses(sources);
  const hasCondition = (selector: string) =>
    /:(?!root\b)/.test(selector) || conditional.some((name) => new RegExp(`\\.${name}(?![\\w-])`).test(selector));
  return rulesOf(sources).flatMap(({ selector, declarations }, index) => {
    const properties = declarations.map(({ property }) => property).filter((property) => deciding.test(property));
    const matched = seen.filter(({ rules }) => rules[index]?.elements.length).length;
    const isCertain = matched > 0 && (matched < seen.length || !hasCondition(selector));
    return properties.length === 0 || isCertain ? [] : [{ selector, properties }];
  });
}

/** The classes that some element always has. Other elements never get them. */
function fixedClasses(sources: SourceText[]): string[] {
  const attributes = classAttributes(sources).map((value) => value.replaceAll(CONDITION, " "));
  return attributes.flatMap((value) => value.split(/\s+/).filter((word) => /^[\w-]+$/.test(word)));
}

/** Whether a selector may select an element with these names, whatever the values of the fields are. */
function maySelect(selector: string, { tag, classes }: Names, fixed: string[]): boolean {
  return selector.split(",").some((part) => {
    const subject =
      part
        .replaceAll(/\([^)]*\)|\[[^\]]*\]/g, "")
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? "";
    const wantedTag = /^[a-z][\w-]*/i.exec(subject)?.[0];
    const wanted = [...subject.matchAll(/\.([\w-]+)/g)].map(([, name = ""]) => name);
    if (wantedTag !== undefined && wantedTag !== tag) return false;
    return wanted.every((name) => classes.includes(name) || !fixed.includes(name));
  });
}

/** The fields with `fit` whose elements never have more than one line, because their texts may not wrap. */
export function oneLineFields(sources: SourceText[], seen: SeenStyles[]): string[] {
  if (decidesElsewhere(sources, WRAPPING) || doubtsAbout(WRAPPING, sources, seen).length > 0) return [];
  const found = seen.flatMap(({ wraps }) => Object.entries(wraps));
  const nameOf = (id: string) => id.replace(/\[\d+\]/, "");
  const wrapping = found.filter(([, mayWrap]) => mayWrap).map(([id]) => nameOf(id));
  return [...new Set(found.map(([id]) => nameOf(id)))].filter((name) => !wrapping.includes(name));
}

/**
 * Finds declarations that have no effect on any of their elements in any picture, such as `width` on an inline element. It is silent
 * where other values of the fields might give them one.
 * @param sources the files of the template that {@link lookExpression} got
 * @param seen what each picture told
 */
export function idleStyles(sources: SourceText[], seen: SeenStyles[]): Notice[] {
  if (decidesElsewhere(sources, LAYOUT)) return [];
  const doubts = doubtsAbout(LAYOUT, sources, seen);
  const fixed = fixedClasses(sources);
  const isDoubtful = ({ own, around }: SeenRule["elements"][number]) =>
    doubts.some(
      ({ selector, properties }) =>
        maySelect(selector, own, fixed) || (properties.includes("display") && maySelect(selector, around, fixed)),
    );
  return rulesOf(sources).flatMap(({ file, declarations }, index) => {
    const pictures = seen.flatMap(({ rules }) => rules[index] ?? []).filter(({ elements }) => elements.length > 0);
    const elements = pictures.flatMap((picture) => picture.elements);
    const [first] = elements;
    if (isShared(file) || !first || elements.some(isDoubtful)) return [];
    return declarations.flatMap(({ property, value, line }): Notice[] => {
      const need = NEED_OF[property];
      if (need === undefined || RESETS.test(value) || !pictures.every(({ idle }) => idle.includes(property))) return [];
      const reason = `Got "${property}", which has no effect on <${first.own.tag}>: ${NEEDS[need]}`;
      return [{ file, line, reason }];
    });
  });
}
