import type { ChildNode, Declaration, Root } from "postcss";
import parseValue, { type FunctionNode, type Node as ValueNode } from "postcss-value-parser";
import { FAMILIES } from "#lib/fonts/families.ts";
import { fontStack, isGenericFamily } from "#lib/fonts/generic-families.ts";
import type { DocumentFonts } from "#lib/type/faces/document-fonts.ts";
import type { Assets } from "./assets.ts";
import { fileOf, importSheets, parseSheet } from "./shared/import-sheets.ts";
import { BRAND_FILE } from "./shared/shared-files.ts";
import { FONT_PROPERTY, isFontFace, listFonts } from "./style-fonts.ts";
import type { FileFault } from "./template.ts";

const FILE = "style.css";

const FAMILY_KEYWORDS = ["inherit", "initial", "unset", "revert", "revert-layer"];

/** Shorthands that reset `font-variant-emoji`, even though the base styles declare it `!important`. */
const EMOJI_RESETTING = /^(?:all|font|font-variant)$/i;

/** Functions that take an address. A backslash counts as one because an escape can spell any of these names. */
const ADDRESS_FUNCTION = /^(?:url|src|image|.*image-set)$|\\/i;

type Context = { assets: Assets; families: Set<string>; faults: FileFault[] };

function fault(node: ChildNode, reason: string): FileFault {
  return { file: fileOf(node, FILE), line: node.source?.start?.line ?? 1, reason };
}

/** Font families that the style sheet declares with `@font-face`. */
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
    context.faults.push(fault(declaration, `Got ${got}, want url() with a file such as assets/paper.png.`));
  }
}

/** Expands a generic family, and reports an unknown one, for which the browser would silently use another font. */
function expandFamily(declaration: Declaration, { node, context }: { node: ValueNode; context: Context }): void {
  const isWord = node.type === "word";
  if (isWord && isGenericFamily(node.value)) node.value = fontStack(node.value);
  else if (node.type === "string" && !context.families.has(node.value)) {
    context.faults.push(
      fault(
        declaration,
        `The font family "${node.value}" is not bundled, want one of ${[...context.families].join(", ")}.`,
      ),
    );
  } else if (isWord && declaration.prop !== "font" && !FAMILY_KEYWORDS.includes(node.value)) {
    context.faults.push(
      fault(declaration, `Got the font family ${node.value} without quotes. Put its name in quotes.`),
    );
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

type CompileStyles = {
  source: string;
  assets: Assets;
  /** The templates folder, whose `_parts` may be imported. */
  root: string;
  /** Rules of the brand, which come first. */
  brand?: string;
};

type Compiled = { css: string; fonts: DocumentFonts; faults: FileFault[] };

/**
 * Checks a style sheet and makes it self-contained: assets become `data:` URLs, and each generic family becomes a list
 * of families that together cover every script.
 */
export function compileStyles({ source, assets, root, brand = "" }: CompileStyles): Compiled {
  const sheet = parseSheet(source, FILE);
  if ("reason" in sheet) return { css: "", fonts: { lists: [], own: {} }, faults: [sheet] };
  const faults = importSheets(sheet, { root, file: FILE, open: [] });
  const first = parseSheet(brand, BRAND_FILE);
  if (!("reason" in first)) sheet.prepend(first.nodes);
  const context: Context = {
    assets,
    families: new Set([...FAMILIES.map((family) => family.name), ...ownFamilies(sheet)]),
    faults,
  };
  // Chromium caches the shapes of words, so this property would also change pictures of other templates.
  sheet.walkDecls(/^font-variant-emoji$/i, (declaration) => {
    faults.push(fault(declaration, "Got font-variant-emoji. To draw a character as text, put U+FE0E after it."));
  });
  sheet.walkComments((comment) => {
    comment.remove();
  });
  const fonts = listFonts(sheet);
  sheet.walkDecls((declaration) => compileDeclaration(declaration, context));
  return { css: sheet.toString(), fonts, faults };
}
