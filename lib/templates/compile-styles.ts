import type { ChildNode, Declaration, Root } from "postcss";
import parseValue, { type FunctionNode, type ParsedValue, type Node as ValueNode } from "postcss-value-parser";
import { fontStack, isGenericFamily } from "#lib/fonts/generic-families.ts";
import type { DocumentFonts } from "#lib/type/faces/document-fonts.ts";
import { type AssetGlyphs, type Assets, findAsset, missingAsset } from "./assets.ts";
import { inlineSvgFault, stillInlineSvg } from "./faults/asset-faults.ts";
import { FONT_PROPERTY, familyFaults } from "./faults/font-families.ts";
import { fontFaceFault } from "./faults/font-sources.ts";
import { BRAND_PROPERTY, missingBrandProperties } from "./shared/brand-properties.ts";
import { fileOf, importSheets, parseSheet } from "./shared/import-sheets.ts";
import { BRAND_FILE } from "./shared/shared-files.ts";
import { isFontFace, listFonts } from "./style-fonts.ts";
import type { FileFault } from "./template.ts";

const FILE = "style.css";

/** Shorthands that reset `font-variant-emoji`, even though the base styles declare it `!important`. */
const EMOJI_RESETTING = /^(?:all|font|font-variant)$/i;

/** Functions that take an address. A backslash counts as one because an escape can spell any of these names. */
const ADDRESS_FUNCTION = /^(?:url|src|image|.*image-set)$|\\/i;

type Context = { assets: Assets; families: string[]; brandProperties: string[]; faults: FileFault[] };

function fault(node: ChildNode, reason: string): FileFault {
  return { file: fileOf(node, FILE), line: node.source?.start?.line ?? 1, reason };
}

/** The custom properties of the brand, with those that the style sheet declares itself. */
function declaredBrand(sheet: Root): string[] {
  const names: string[] = [];
  sheet.walkDecls(BRAND_PROPERTY, ({ prop: name }) => {
    names.push(name);
  });
  return names;
}

/** Font families that the style sheet declares with `@font-face`. */
function ownFamilies(sheet: Root): string[] {
  const names: string[] = [];
  sheet.walkDecls("font-family", (declaration) => {
    if (isFontFace(declaration)) names.push(declaration.value.replace(/^["']|["']$/g, ""));
  });
  return names;
}

const quoted = (value: string): ValueNode => ({ type: "string", quote: '"', value, sourceIndex: 0, sourceEndIndex: 0 });

function inlineAddress(declaration: Declaration, { node, context }: { node: FunctionNode; context: Context }): void {
  const [argument, ...rest] = node.nodes;
  const address = node.value.toLowerCase() === "url" && rest.length === 0 ? argument?.value : undefined;
  const asset = address === undefined ? undefined : findAsset(context.assets, address.replace(/^\.\//, ""));
  if (asset !== undefined) node.nodes = [quoted(asset)];
  else if (!address?.startsWith("data:") && !address?.startsWith("#")) {
    const got = parseValue.stringify(node).slice(0, 60);
    const missing = address === undefined ? undefined : missingAsset(address, context.assets);
    context.faults.push(fault(declaration, missing ?? `Got ${got}, want url() with a file such as assets/paper.png.`));
  } else {
    const reason = inlineSvgFault(address);
    if (reason !== undefined) context.faults.push(fault(declaration, reason));
    const still = stillInlineSvg(address);
    if (still !== undefined) node.nodes = [quoted(still)];
  }
}

/** Expands generic families, and reports unknown ones. */
function compileFamilies(declaration: Declaration, { nodes, context }: { nodes: ValueNode[]; context: Context }): void {
  const { prop: property, value } = declaration;
  for (const reason of familyFaults({ property, value }, context.families))
    context.faults.push(fault(declaration, reason));
  for (const node of nodes) if (node.type === "word" && isGenericFamily(node.value)) node.value = fontStack(node.value);
}

/** Whether a string goes on in the next line, as one without its second quote does. */
function hasOpenString(value: ParsedValue): boolean {
  let isOpen = false;
  value.walk((node) => {
    if (node.type === "string" && /(?<!\\)\n/.test(node.value)) isOpen = true;
  });
  return isOpen;
}

function compileDeclaration(declaration: Declaration, context: Context): void {
  const value = parseValue(declaration.value);
  if (hasOpenString(value)) {
    context.faults.push(fault(declaration, "Got a string that does not end in its line, want its second quote."));
    return;
  }
  for (const { reason } of missingBrandProperties(declaration.value, context.brandProperties))
    context.faults.push(fault(declaration, reason));
  value.walk((node) => {
    if (node.type !== "function" || !ADDRESS_FUNCTION.test(node.value)) return;
    inlineAddress(declaration, { node, context });
    return false;
  });
  if (FONT_PROPERTY.test(declaration.prop) && !isFontFace(declaration)) {
    compileFamilies(declaration, { nodes: value.nodes, context });
  }
  declaration.value = value.toString();
  if (EMOJI_RESETTING.test(declaration.prop) && !isFontFace(declaration)) {
    declaration.cloneAfter({ prop: "font-variant-emoji", value: "unicode" });
  }
}

type CompileStyles = {
  source: string;
  assets: Assets;
  /** The characters of the fonts among the assets. */
  glyphs?: AssetGlyphs;
  /** The templates folder, whose `_parts` may be imported. */
  root: string;
  /** Rules of the brand, which come first. */
  brand?: string;
};

type Compiled = {
  css: string;
  fonts: DocumentFonts;
  /** The families that `@font-face` declares. */
  families: string[];
  /** The custom properties of the brand that are declared. */
  brandProperties: string[];
  faults: FileFault[];
};

/**
 * Checks a style sheet and makes it self-contained: assets become `data:` URLs, and each generic family becomes a list
 * of families that together cover every script.
 */
export function compileStyles({ source, assets, glyphs = {}, root, brand = "" }: CompileStyles): Compiled {
  const sheet = parseSheet(source, FILE);
  if ("reason" in sheet)
    return { css: "", fonts: { lists: [], own: {} }, families: [], brandProperties: [], faults: [sheet] };
  const faults = importSheets(sheet, { root, file: FILE, open: [] });
  const first = parseSheet(brand, BRAND_FILE);
  if (!("reason" in first)) sheet.prepend(first.nodes);
  const context: Context = {
    assets,
    families: ownFamilies(sheet),
    brandProperties: declaredBrand(sheet),
    faults,
  };
  // Chromium caches the shapes of words, so this property would also change pictures of other templates.
  sheet.walkDecls(/^font-variant-emoji$/i, (declaration) => {
    faults.push(fault(declaration, "Got font-variant-emoji. To draw a character as text, put U+FE0E after it."));
  });
  sheet.walkComments((comment) => {
    comment.remove();
  });
  sheet.walkAtRules(/^font-face$/i, (rule) => {
    const found = fontFaceFault(rule);
    if (found) faults.push(fault(found.node, found.reason));
  });
  const fonts = listFonts(sheet, glyphs);
  sheet.walkDecls((declaration) => compileDeclaration(declaration, context));
  const { families, brandProperties } = context;
  return { css: sheet.toString(), fonts, families, brandProperties, faults };
}
