import type { AtRule, Declaration, Root } from "postcss";
import parseValue from "postcss-value-parser";
import { FAMILIES } from "#lib/fonts/families.ts";
import { isGenericFamily } from "#lib/fonts/generic-families.ts";
import { joinCoverages } from "#lib/fonts/read-coverage.ts";
import type { DocumentFonts, OwnFamily } from "#lib/type/faces/document-fonts.ts";
import { type AssetGlyphs, assetName } from "./assets.ts";
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

/** The characters of the files that a `src` names. */
function glyphsIn(source: string, byFile: AssetGlyphs) {
  return parseValue(source).nodes.flatMap((node) => {
    const address = node.type === "function" && node.value.toLowerCase() === "url" ? node.nodes[0]?.value : undefined;
    const file = assetName(address ?? "").replace(/^\.\//, "");
    return Object.hasOwn(byFile, file) ? [byFile[file] ?? []] : [];
  });
}

function readFontFace(rule: AtRule, byFile: AssetGlyphs): [name: string, OwnFamily] {
  const values = new Map((rule.nodes ?? []).flatMap((node) => (node.type === "decl" ? [[node.prop, node.value]] : [])));
  const source = values.get("src") ?? "";
  const [bundled, glyphs] = [bundledFamily(source), glyphsIn(source, byFile)];
  const [ascent, descent] = ["ascent-override", "descent-override"].map((name) => percentage(values.get(name)));
  const own = {
    ...(bundled !== undefined && { bundled }),
    ...(glyphs.length > 0 && { glyphs: joinCoverages(glyphs) }),
    ...(ascent !== undefined && { ascent }),
    ...(descent !== undefined && { descent }),
  };
  return [(values.get("font-family") ?? "").replace(/^["']|["']$/g, ""), own];
}

/** A family of several files, such as one for each weight or script, has the characters of all of them. */
function joinFaces(known: OwnFamily | undefined, face: OwnFamily): OwnFamily {
  const glyphs = [known?.glyphs, face.glyphs].filter((each) => each !== undefined);
  return { ...face, ...(glyphs.length > 0 && { glyphs: joinCoverages(glyphs) }) };
}

/** Lists the font families that a style sheet uses, before its generic families are expanded. */
export function listFonts(sheet: Root, byFile: AssetGlyphs): DocumentFonts {
  const lists = new Map<string, string[]>();
  const own: Record<string, OwnFamily> = {};
  sheet.walkAtRules("font-face", (rule) => {
    const [name, face] = readFontFace(rule, byFile);
    own[name] = joinFaces(own[name], face);
  });
  sheet.walkDecls(FONT_PROPERTY, (declaration) => {
    const names = isFontFace(declaration) ? [] : namesIn(declaration.value);
    if (names.length > 0) lists.set(names.join(), names);
  });
  return { lists: [...lists.values()], own };
}
