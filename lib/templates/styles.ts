import { type ChildNode, CssSyntaxError, type Declaration, parse, type Root } from "postcss";
import parseValue, { type FunctionNode, type Node as ValueNode } from "postcss-value-parser";
import { FAMILIES, fontStack, isGenericFamily } from "#lib/fonts/families.ts";
import type { Assets } from "./assets.ts";
import type { FileFault } from "./template.ts";

const FILE = "style.css";

/** Properties, and by convention custom properties, whose value is a list of families. */
const FONT_PROPERTY = /^(?:font|font-family|--font(?:-.*)?)$/;
const FAMILY_KEYWORDS = ["inherit", "initial", "unset", "revert", "revert-layer"];

/** Properties that set `font-variant-emoji` back in passing, even where the base styles have it important. */
const EMOJI_RESETTING = /^(?:all|font|font-variant)$/i;

/** Functions that name an address. An escape may spell any of them, and nothing else needs one there. */
const ADDRESS_FUNCTION = /^(?:url|src|image|.*image-set)$|\\/i;

type Context = { assets: Assets; families: Set<string>; faults: FileFault[] };

function fault(node: ChildNode, reason: string): FileFault {
  return { file: FILE, line: node.source?.start?.line ?? 1, reason };
}

function parseSheet(source: string): Root | FileFault {
  try {
    return parse(source);
  } catch (error) {
    if (error instanceof CssSyntaxError)
      return { file: FILE, line: error.line ?? 1, reason: `Not CSS: ${error.reason}.` };
    throw error;
  }
}

function isFontFace({ parent }: Declaration): boolean {
  return parent?.type === "atrule" && "name" in parent && parent.name === "font-face";
}

/** Families that the style sheet brings along itself. */
function ownFamilies(sheet: Root): string[] {
  const names: string[] = [];
  sheet.walkDecls("font-family", (declaration) => {
    if (isFontFace(declaration)) names.push(declaration.value.replace(/^["']|["']$/g, ""));
  });
  return names;
}

function inlineAddress(declaration: Declaration, { node, context }: { node: FunctionNode; context: Context }): void {
  const [argument, ...rest] = node.nodes;
  const address = node.value.toLowerCase() === "url" && rest.length === 0 ? argument?.value : undefined;
  const asset = address === undefined ? undefined : context.assets[address.replace(/^\.\//, "")];
  if (asset !== undefined)
    node.nodes = [{ type: "string", quote: '"', value: asset, sourceIndex: 0, sourceEndIndex: 0 }];
  else if (!address?.startsWith("data:") && !address?.startsWith("#")) {
    const got = parseValue.stringify(node).slice(0, 60);
    context.faults.push(fault(declaration, `Got ${got}, want url() of a file of the template's assets folder.`));
  }
}

/** Spells a generic family out, and names a family that no bundled font has: it would fall back in silence. */
function expandFamily(declaration: Declaration, { node, context }: { node: ValueNode; context: Context }): void {
  const isWord = node.type === "word";
  if (isWord && isGenericFamily(node.value)) node.value = fontStack(node.value);
  else if (node.type === "string" && !context.families.has(node.value)) {
    context.faults.push(
      fault(declaration, `The family "${node.value}" is not bundled. Want one of ${[...context.families].join(", ")}.`),
    );
  } else if (isWord && declaration.prop !== "font" && !FAMILY_KEYWORDS.includes(node.value)) {
    context.faults.push(fault(declaration, `Got the family ${node.value}, want its name in quotes.`));
  }
}

function compileDeclaration(declaration: Declaration, context: Context): void {
  const value = parseValue(declaration.value);
  value.walk((node) => {
    if (node.type !== "function" || !ADDRESS_FUNCTION.test(node.value)) return;
    inlineAddress(declaration, { node, context });
    return false;
  });
  if (FONT_PROPERTY.test(declaration.prop) && !isFontFace(declaration)) {
    for (const node of value.nodes) expandFamily(declaration, { node, context });
  }
  declaration.value = value.toString();
  if (EMOJI_RESETTING.test(declaration.prop) && !isFontFace(declaration)) {
    declaration.cloneAfter({ prop: "font-variant-emoji", value: "unicode" });
  }
}

/**
 * Checks a style sheet, and makes it stand alone: assets become `data:` URLs, and a generic family becomes the list of
 * all families that together have every script.
 */
export function compileStyles(source: string, assets: Assets): { css: string; faults: FileFault[] } {
  const sheet = parseSheet(source);
  if ("reason" in sheet) return { css: "", faults: [sheet] };
  const faults: FileFault[] = [];
  const context: Context = {
    assets,
    families: new Set([...FAMILIES.map((family) => family.name), ...ownFamilies(sheet)]),
    faults,
  };
  sheet.walkAtRules("import", (rule) => {
    faults.push(fault(rule, "Got @import, want every rule in this file."));
  });
  // The browser would keep what it draws so, for documents of other templates.
  sheet.walkDecls(/^font-variant-emoji$/i, (declaration) => {
    faults.push(fault(declaration, "Got font-variant-emoji, want U+FE0E after a character that is to be text."));
  });
  sheet.walkComments((comment) => {
    comment.remove();
  });
  sheet.walkDecls((declaration) => compileDeclaration(declaration, context));
  if (/<\/style/i.test(source)) faults.push({ file: FILE, line: 1, reason: "Got </style, want CSS only." });
  return { css: sheet.toString(), faults };
}
