import type { AtRule, Declaration } from "postcss";
import parseValue, { type Node as ValueNode } from "postcss-value-parser";

/** The formats that Chromium knows. The names that end in `-variations` are older ones of variable fonts. */
const FORMATS = [
  "collection",
  ...["woff2", "woff", "truetype", "opentype"].flatMap((name) => [name, `${name}-variations`]),
];

const NO_SOURCE = "Got an @font-face without src, want a file such as url(assets/own.woff2).";

/** The arguments of a function in one item of `src`, such as those of `format()`. */
function argumentsOf(item: ValueNode[], name: string): ValueNode[] {
  return item.flatMap((node) =>
    node.type === "function" && node.value.toLowerCase() === name
      ? node.nodes.filter(({ type }) => type === "string" || type === "word")
      : [],
  );
}

/** What a browser leaves an item of `src` out for. */
function itemFault(item: ValueNode[]): string | undefined {
  const format = argumentsOf(item, "format").find(({ value }) => !FORMATS.includes(value.toLowerCase()));
  if (format)
    return `Got format("${format.value}"), which the browser does not know, want "truetype", "opentype" or "woff2".`;
  const quoted = argumentsOf(item, "tech").find(({ type }) => type === "string");
  return quoted && `Got tech("${quoted.value}"), want tech(${quoted.value}) without quotes.`;
}

function itemsOf(source: string): ValueNode[][] {
  const items: ValueNode[][] = [[]];
  for (const node of parseValue(source).nodes) {
    if (node.type === "div" && node.value === ",") items.push([]);
    else items.at(-1)?.push(node);
  }
  return items;
}

/**
 * Says why a browser ignores an `@font-face`. It would draw with another font and give no error. One usable item of a `src` is enough.
 * @returns the node at fault, and the reason; undefined for a rule that counts
 */
export function fontFaceFault(rule: AtRule): { node: AtRule | Declaration; reason: string } | undefined {
  const declarations = (rule.nodes ?? []).filter((node) => node.type === "decl");
  const sources = declarations.filter(({ prop }) => prop.toLowerCase() === "src");
  const faults = sources.flatMap((node) => itemsOf(node.value).map((item) => ({ node, reason: itemFault(item) })));
  if (faults.some(({ reason }) => reason === undefined)) return undefined;
  const [{ node, reason = "" } = { node: rule, reason: NO_SOURCE }] = faults;
  return { node, reason };
}
