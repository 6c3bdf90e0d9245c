import { parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { LTR_ELEMENT, RUN_ELEMENT } from "#lib/type/text/runs.ts";
import { MARK_ATTRIBUTE, PART_ELEMENTS } from "#lib/type/text/write-spans.ts";
import { CHART_ATTRIBUTE, CHART_ELEMENTS, DRAWN_ELEMENTS } from "./drawings/drawing.ts";

export type HtmlElement = Tree.Element;
type HtmlNode = Tree.Node;

function childrenOf(node: HtmlNode): HtmlNode[] {
  const own = "childNodes" in node ? node.childNodes : [];
  return node.nodeName === "template" && "content" in node ? [...own, node.content] : own;
}

function* walkNodes(node: HtmlNode): Generator<HtmlNode> {
  yield node;
  for (const child of childrenOf(node)) yield* walkNodes(child);
}

/** Lists every element of an HTML fragment, with its location in the source. */
export function elementsOf(html: string): HtmlElement[] {
  return [...walkNodes(parseFragment(html, { sourceCodeLocationInfo: true }))].filter(
    (node): node is HtmlElement => "tagName" in node,
  );
}

/** Whether an element sets a part of a text off: words that the filter `mark` found, or emphasis. */
function isOwnMark(node: HtmlNode): boolean {
  return (
    PART_ELEMENTS.includes(node.nodeName) && "attrs" in node && node.attrs.some(({ name }) => name === MARK_ATTRIBUTE)
  );
}

function isChart(node: HtmlNode): boolean {
  return node.nodeName === "svg" && "attrs" in node && node.attrs.some(({ name }) => name === CHART_ATTRIBUTE);
}

/**
 * Describes the structure of a document: elements, attribute names and comments, without text and attribute values. The
 * elements that isolate a text or draw a value depend on it, so they are left out; what is inside them is not.
 */
export function shapeOf(html: string): string {
  const shape = (node: HtmlNode, inChart: boolean): string => {
    if (node.nodeName === "#text") return "";
    const inner = childrenOf(node)
      .map((child) => shape(child, inChart || isChart(node)))
      .join("");
    const isDrawn = inChart ? CHART_ELEMENTS.includes(node.nodeName) : DRAWN_ELEMENTS.includes(node.nodeName);
    const isRun = node.nodeName === RUN_ELEMENT || node.nodeName === LTR_ELEMENT;
    if (isRun || isDrawn || isOwnMark(node)) return inner;
    const attributes = "attrs" in node ? node.attrs.map((attribute) => attribute.name).join(" ") : "";
    return `<${node.nodeName} ${attributes}>${inner}</>`;
  };
  return shape(parse(html), false);
}

const RAW_TEXT_PARENTS = ["style", "script", "noscript", "title", "textarea"];

/** Names an unsafe place where a document contains a text: neither ordinary text nor a safe attribute. */
export function unsafePlaceOf(
  html: string,
  text: string,
  isUnsafeAttribute: (name: string) => boolean,
): string | undefined {
  for (const node of walkNodes(parse(html))) {
    if ("attrs" in node) {
      const attribute = node.attrs.find(
        ({ name, value }) => name.includes(text) || (isUnsafeAttribute(name) && value.includes(text)),
      );
      if (attribute) return `the attribute ${attribute.name} of <${node.nodeName}>`;
    }
    if (node.nodeName === "#comment" && "data" in node && node.data.includes(text)) return "a comment";
    const parent = "parentNode" in node ? node.parentNode?.nodeName : undefined;
    if (parent && RAW_TEXT_PARENTS.includes(parent) && "value" in node && node.value.includes(text))
      return `<${parent}>`;
  }
  return undefined;
}
