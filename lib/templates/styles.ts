import { type CssNode, generate, type List, parse, walk } from "css-tree";
import { FAMILIES, fontStack, isGenericFamily } from "#lib/fonts/families.ts";
import type { Assets } from "./assets.ts";
import type { FileFault } from "./template.ts";

const FILE = "style.css";

/** Properties, and by convention custom properties, whose value is a list of families. */
const FONT_PROPERTY = /^(?:font|font-family|--font(?:-.*)?)$/;
const FAMILY_KEYWORDS = ["inherit", "initial", "unset", "revert", "revert-layer"];

type Context = { assets: Assets; families: Set<string>; faults: FileFault[] };

function fault(node: CssNode, reason: string): FileFault {
  return { file: FILE, line: node.loc?.start.line ?? 1, reason };
}

/** Families that the style sheet brings along itself. */
function ownFamilies(sheet: CssNode): string[] {
  const names: string[] = [];
  walk(sheet, function (node) {
    if (node.type !== "Declaration" || node.property !== "font-family" || this.atrule?.name !== "font-face") return;
    names.push(generate(node.value).replace(/^["']|["']$/g, ""));
  });
  return names;
}

function inlineUrl(node: Extract<CssNode, { type: "Url" }>, { assets, faults }: Context): void {
  const asset = assets[node.value.replace(/^\.\//, "")];
  if (asset !== undefined) node.value = asset;
  else if (!node.value.startsWith("data:") && !node.value.startsWith("#")) {
    faults.push(fault(node, `Got url(${node.value.slice(0, 60)}), want a file of the template's assets folder.`));
  }
}

/** Spells generic families out, and names families that no bundled font has: those would fall back in silence. */
function expandFamilies(values: List<CssNode>, { families, faults }: Context, isShorthand: boolean): void {
  values.forEach((node, item) => {
    if (node.type === "Identifier" && isGenericFamily(node.name)) {
      item.data = { type: "Raw", value: fontStack(node.name) };
    } else if (node.type === "String" && !families.has(node.value)) {
      faults.push(fault(node, `The family "${node.value}" is not bundled. Want one of ${[...families].join(", ")}.`));
    } else if (node.type === "Identifier" && !isShorthand && !FAMILY_KEYWORDS.includes(node.name)) {
      faults.push(fault(node, `Got the family ${node.name}, want its name in quotes.`));
    }
  });
}

/**
 * Checks a style sheet, and makes it stand alone: assets become `data:` URLs, and a generic family becomes the list of
 * all families that together have every script.
 */
export function compileStyles(source: string, assets: Assets): { css: string; faults: FileFault[] } {
  const faults: FileFault[] = [];
  const sheet = parse(source, {
    positions: true,
    parseCustomProperty: true,
    onParseError: (error) => faults.push({ file: FILE, line: error.line, reason: error.message }),
  });
  const context: Context = {
    assets,
    families: new Set([...FAMILIES.map((family) => family.name), ...ownFamilies(sheet)]),
    faults,
  };
  walk(sheet, function (node) {
    if (node.type === "Atrule" && node.name === "import")
      faults.push(fault(node, "Got @import, want every rule in this file."));
    if (node.type === "Url") inlineUrl(node, context);
    if (node.type !== "Declaration" || !FONT_PROPERTY.test(node.property) || this.atrule?.name === "font-face") return;
    if (node.value.type === "Value") expandFamilies(node.value.children, context, node.property === "font");
  });
  if (/<\/style/i.test(source)) faults.push({ file: FILE, line: 1, reason: "Got </style, want CSS only." });
  return { css: generate(sheet), faults };
}
