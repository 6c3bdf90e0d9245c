import type { AtRule, Declaration, Root } from "postcss";
import parseValue from "postcss-value-parser";
import { FAMILIES } from "#lib/fonts/families.ts";
import { isGenericFamily } from "#lib/fonts/generic-families.ts";
import type { DocumentFonts, OwnFamily } from "#lib/type/faces/document-fonts.ts";
import { FONT_PROPERTY } from "./faults/font-families.ts";

export function isFontFace({ parent }: Declaration): boolean {
  return parent?.type === "atrule" && "name" in parent && parent.name === "font-face";
}

/** The families that a value names, in order. */
function namesIn(value: string): string[] {
  return parseValue(value).nodes.flatMap((node) =>
    node.type === "string" || (node.type === "word" && isGenericFamily(node.value)) ? [node.value] : [],
  );
}

const LONGEST_FIRST = FAMILIES.map(({ name }) => name).toSorted((a, b) => b.length - a.length);

/** The bundled family whose face a `local()` names. */
function bundledFamily(source: string): string | undefined {
  const [, named = ""] = /local\(\s*["']?([^"')]+)/.exec(source) ?? [];
  return LONGEST_FIRST.find((name) => named.startsWith(name));
}

function percentage(value: string | undefined): number | undefined {
  return value?.endsWith("%") ? Number.parseFloat(value) / 100 : undefined;
}

function readFontFace(rule: AtRule): [name: string, OwnFamily] {
  const values = new Map((rule.nodes ?? []).flatMap((node) => (node.type === "decl" ? [[node.prop, node.value]] : [])));
  const bundled = bundledFamily(values.get("src") ?? "");
  const [ascent, descent] = ["ascent-override", "descent-override"].map((name) => percentage(values.get(name)));
  const own = {
    ...(bundled !== undefined && { bundled }),
    ...(ascent !== undefined && { ascent }),
    ...(descent !== undefined && { descent }),
  };
  return [(values.get("font-family") ?? "").replace(/^["']|["']$/g, ""), own];
}

/** Lists the font families that a style sheet uses, before its generic families are expanded. */
export function listFonts(sheet: Root): DocumentFonts {
  const lists = new Map<string, string[]>();
  const own: Record<string, OwnFamily> = {};
  sheet.walkAtRules("font-face", (rule) => {
    const [name, family] = readFontFace(rule);
    own[name] = family;
  });
  sheet.walkDecls(FONT_PROPERTY, (declaration) => {
    const names = isFontFace(declaration) ? [] : namesIn(declaration.value);
    if (names.length > 0) lists.set(names.join(), names);
  });
  return { lists: [...lists.values()], own };
}
