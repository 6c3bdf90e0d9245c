import type { AtRule, Declaration } from "postcss";
import parseValue, { type Node as ValueNode } from "postcss-value-parser";

/** The formats that Chromium knows, and older names of variable fonts, which it knows in quotes only. */
const FORMATS = ["collection", "woff2", "woff", "truetype", "opentype"];
const QUOTED_FORMATS = [...FORMATS, ...FORMATS.map((name) => `${name}-variations`)];

const NO_SOURCE = "Got an @font-face without src, want a file such as url(assets/own.woff2).";

/** The calls of a function in one item of `src`, such as those of `format()`, with their arguments. */
function callsOf(item: ValueNode[], name: string) {
  return item.flatMap((node) =>
    node.type === "function" && node.value.toLowerCase() === name
      ? [{ node, given: node.nodes.filter(({ type }) => type === "string" || type === "word") }]
      : [],
  );
}

/** What a browser leaves an item of `src` out for. A `format()` of several names is one that it does not know. */
function itemFault(item: ValueNode[]): string | undefined {
  const format = callsOf(item, "format").find(({ given: [only, ...others] }) => {
    const known = only?.type === "string" ? QUOTED_FORMATS : FORMATS;
    return others.length > 0 || !known.includes(only?.value.toLowerCase() ?? "");
  });
  if (format)
    return `Got ${parseValue.stringify(format.node)}, which the browser does not know, want format("truetype"), format("opentype") or format("woff2").`;
  const quoted = callsOf(item, "tech").flatMap(({ given }) => given.filter(({ type }) => type === "string"))[0];
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
