import postcss, { CssSyntaxError } from "postcss";
import parseValue, { type Node as ValueNode } from "postcss-value-parser";
import { DISPLAY_FAMILIES, FAMILIES } from "#lib/fonts/families.ts";
import { ALIASES, GENERIC_FAMILY_NAMES } from "#lib/fonts/generic-families.ts";
import { nearestName } from "#lib/nearest-name.ts";

const CSS_WIDE_KEYWORDS = ["inherit", "initial", "unset", "revert", "revert-layer"];

/** Values of `font` that name a whole font of the system. Each ends in a family of the browser. */
const SYSTEM_FONTS = ["caption", "icon", "menu", "message-box", "small-caption", "status-bar"];

/** A font size or a line height in the shorthand `font`: a number with or without a unit, or a keyword. */
const SIZE = /^(?:[+-]?[\d.].*|xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger)$/i;

const BUNDLED = new Set(FAMILIES.map(({ name }) => name));

/** Properties whose value is a list of font families. For custom properties, the prefix `--font` is the convention. */
export const FONT_PROPERTY = /^(?:font|font-family|--font(?:-.*)?)$/i;

function splitAtCommas(nodes: ValueNode[]): ValueNode[][] {
  const groups: ValueNode[][] = [[]];
  for (const node of nodes) {
    if (node.type === "div" && node.value === ",") groups.push([]);
    else if (node.type !== "comment") groups.at(-1)?.push(node);
  }
  return groups;
}

/** The first family of the shorthand `font`, which stands after the size and the line height. */
function familyAfterSize(nodes: ValueNode[]): ValueNode[] {
  const isSize = ({ type, value }: ValueNode) => type === "function" || (type === "word" && SIZE.test(value));
  const size = nodes.findLastIndex(isSize);
  const slash = nodes.findLastIndex(({ type, value }) => type === "div" && value === "/");
  if (slash > size) return nodes.slice(slash + 1).filter(({ type, value }) => type !== "word" || value !== "normal");
  return nodes.slice(size + 1);
}

/** An output or a tag of Liquid. */
const LIQUID = /\{\{.*?\}\}|\{%.*?%\}/gs;

/** Stands for what Liquid writes, which is not known here. Like any function, it counts as no family. */
const WRITTEN = "var(--liquid)";

/** A family as a value names it. A name without quotes may have several words. */
type NamedFamily = { name: string; isQuoted: boolean };

function namedFamilies(property: string, value: string): NamedFamily[] {
  const [first = [], ...rest] = splitAtCommas(parseValue(value.replaceAll(LIQUID, WRITTEN)).nodes);
  const groups = [property.toLowerCase() === "font" ? familyAfterSize(first) : first, ...rest];
  return groups.flatMap((group) => {
    const nodes = group.filter(({ type }) => type !== "space");
    // A function, such as var(), names families elsewhere.
    if (nodes.length === 0 || nodes.some(({ type }) => type !== "word" && type !== "string")) return [];
    return [{ name: nodes.map((node) => node.value).join(" "), isQuoted: nodes.some(({ type }) => type === "string") }];
  });
}

function describeUnknown({ name, isQuoted }: NamedFamily, families: string[]): string {
  const got = `Got the font family ${isQuoted ? `"${name}"` : name}, which is not bundled.`;
  const nearest = nearestName(name, [...families, ...GENERIC_FAMILY_NAMES]);
  if (nearest !== undefined)
    return `${got} Did you mean ${GENERIC_FAMILY_NAMES.includes(nearest) ? nearest : `"${nearest}"`}?`;
  const instead = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
  if (instead !== undefined) return `${got} Use "${instead}" instead, or add an @font-face with a file in assets.`;
  const some = DISPLAY_FAMILIES.map((family) => `"${family.name}"`).join(", ");
  return `${got} Use one of ${some}, another one of docs/fonts.md, or add an @font-face with a file in assets.`;
}

function familyFault(named: NamedFamily, families: string[]): string | undefined {
  const { name, isQuoted } = named;
  const isKnown = families.includes(name);
  if (isQuoted) return isKnown ? undefined : describeUnknown(named, families);
  if (GENERIC_FAMILY_NAMES.includes(name)) return undefined;
  if ([...CSS_WIDE_KEYWORDS, ...SYSTEM_FONTS].includes(name.toLowerCase())) return undefined;
  return isKnown ? `Got the font family ${name} without quotes, want "${name}".` : describeUnknown(named, families);
}

/**
 * Says what is wrong with the font families that a declaration names: a browser draws silently with another font where it does
 * not know one. `font`, `font-family` and custom properties that start with `--font` name families.
 * @param own families that `@font-face` declares
 */
export function familyFaults({ property, value }: { property: string; value: string }, own: string[]): string[] {
  if (!FONT_PROPERTY.test(property)) return [];
  const families = [...BUNDLED, ...own];
  return namedFamilies(property, value).flatMap((named) => familyFault(named, families) ?? []);
}

/** The declarations of a `style` attribute. What Liquid writes counts as a function. */
export function declarationsOf(style: string): { property: string; value: string }[] {
  try {
    const { nodes } = postcss.parse(style.replaceAll(LIQUID, WRITTEN));
    return nodes.flatMap((node) => (node.type === "decl" ? [{ property: node.prop, value: node.value }] : []));
  } catch (error) {
    if (error instanceof CssSyntaxError) return [];
    throw error;
  }
}
