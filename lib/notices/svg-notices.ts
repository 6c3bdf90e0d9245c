import { elementsOf, type HtmlElement } from "#lib/templates/document-tree.ts";
import { blank } from "#lib/templates/markup/mask-liquid.ts";
import { lineAt } from "#lib/templates/template-files.ts";
import type { Notice, SourceText } from "./notice.ts";

/**
 * Elements that run or load something. The browser does neither for an image. Unlike in a markup, `<style>`, `<title>` and
 * `<foreignObject>` have their effect.
 */
const IDLE_ELEMENTS = ["script", "iframe", "object", "embed", "audio", "video", "link"];

const FIRST_MOMENT = "but a picture shows the first moment only.";

const ANIMATIONS = ["animate", "animatemotion", "animatetransform", "set"];

/** Elements whose address is that of a link, which no picture follows, or of a namespace. */
const UNLOADED = ["a", ...IDLE_ELEMENTS];

/** An address of CSS that is neither a part of the file nor embedded in it. In a data: URL, `%23` stands for `#`. */
const CSS_ADDRESS = /url\(\s*["']?(?!["'#]|%23|data:)([^"')\s]+)|@import\s+["']([^"']+)/gi;

/** Rules that animate. A drawing may show a moment of them where it pauses them. */
const KEYFRAMES = /@(?:-webkit-)?keyframes\b/i;

/** Parts of a style sheet in which an address is not loaded: comments and `@namespace`. */
const NO_ADDRESS = /<!--[\s\S]*?-->|\/\*[\s\S]*?\*\/|@namespace\b[^;]*/gi;

/** A quote in an attribute whose own quotes are the same. */
const WRITTEN_QUOTE = /&(?:quot|apos|#34|#39|#x22|#x27);/gi;

const SHOWN_CHARS = 60;

const notLoaded = (what: string) =>
  `Got ${what}, which is not loaded: an SVG file draws only what it contains. Embed it as a data: URL, or remove it.`;

const isOutside = (address: string) => !/^\s*(?:#|data:|$)/i.test(address);

function describeElement(name: string): string | undefined {
  if (IDLE_ELEMENTS.includes(name.toLowerCase()))
    return `Got <${name}>, which has no effect: an SVG file runs and loads nothing in a picture. Remove it.`;
  if (ANIMATIONS.includes(name.toLowerCase()))
    return `Got <${name}>, ${FIRST_MOMENT} Draw the moment that you want, and remove it.`;
  return undefined;
}

function describeAttribute(element: HtmlElement, name: string, value: string): string | undefined {
  if (/^on[a-z]/i.test(name))
    return `Got ${name}, which has no effect: an SVG file runs nothing in a picture. Remove it.`;
  const isAddress = /^(?:xlink:)?href$|^src$/.test(name) && !UNLOADED.includes(element.tagName.toLowerCase());
  return isAddress && isOutside(value) ? notLoaded(`${name}="${value.slice(0, SHOWN_CHARS)}"`) : undefined;
}

function inElement(element: HtmlElement, file: string): Notice[] {
  const place = element.sourceCodeLocation;
  const line = place?.startLine ?? 1;
  const own = describeElement(element.tagName);
  const attributes = element.attrs.flatMap(({ prefix, name, value }): Notice[] => {
    const full = prefix ? `${prefix}:${name}` : name;
    const reason = describeAttribute(element, full, value);
    return reason === undefined ? [] : [{ file, line: place?.attrs?.[full]?.startLine ?? line, reason }];
  });
  return [...(own === undefined ? [] : [{ file, line, reason: own }]), ...attributes];
}

/** What style sheets and attributes name, which are read alike. */
function inStyles({ file, text: source }: SourceText): Notice[] {
  const text = source.replace(NO_ADDRESS, blank).replace(WRITTEN_QUOTE, "'");
  const instructions = [...text.matchAll(/<\?xml-stylesheet\b/g)].map(({ index }) => ({
    what: "<?xml-stylesheet?>",
    index,
  }));
  const addresses = [...text.matchAll(CSS_ADDRESS)].map(({ 0: written, 1: url, 2: sheet, index }) => {
    const address = (url ?? sheet ?? "").slice(0, SHOWN_CHARS);
    return { what: written.startsWith("@") ? `@import "${address}"` : `url(${address})`, index };
  });
  return [...instructions, ...addresses].map(({ what, index }) => ({
    file,
    line: lineAt(text, index),
    reason: notLoaded(what),
  }));
}

function inKeyframes({ file, text: source }: SourceText): Notice[] {
  const text = source.replace(NO_ADDRESS, blank);
  const found = /\bpaused\b/i.test(text) ? null : KEYFRAMES.exec(text);
  if (!found) return [];
  const reason = `Got ${found[0]}, ${FIRST_MOMENT} Draw the moment that you want, and remove it.`;
  return [{ file, line: lineAt(text, found.index), reason }];
}

/** Finds what has no effect in the SVG files of a template: the browser draws them, but runs, loads and animates nothing in them. */
export function svgNotices(drawings: SourceText[]): Notice[] {
  return drawings.flatMap((drawing) => [
    ...elementsOf(drawing.text).flatMap((element) => inElement(element, drawing.file)),
    ...inStyles(drawing),
    ...inKeyframes(drawing),
  ]);
}
