import { nearestName } from "#lib/nearest-name.ts";
import type { RenderOptions } from "#lib/render/queue/render-task.ts";
import { renderPicture } from "#lib/render/render.ts";
import type { Notice, SourceText } from "./notice.ts";
import { type Written, writtenIn } from "./written-styles.ts";

/** The descriptors of `@font-face` that the browser knows. */
const FONT_FACE_DESCRIPTORS = [
  ..."font-family src font-style font-weight font-stretch font-display unicode-range size-adjust".split(" "),
  ..."ascent-override descent-override line-gap-override font-feature-settings font-variation-settings".split(" "),
];

/** The at-rules that a template may want. */
const AT_RULES = "media supports container layer scope font-face keyframes property counter-style".split(" ");

/** The elements that a template may want. */
const ELEMENTS = [
  ..."div span p h1 h2 h3 h4 h5 h6 main section article header footer aside nav figure figcaption blockquote".split(
    " ",
  ),
  ..."ul ol li dl dt dd table thead tbody tfoot tr td th caption colgroup strong em small mark code pre time".split(
    " ",
  ),
  ..."abbr cite img svg path circle rect line text defs sub sup ruby rt".split(" "),
];

/** How much of a value a message shows. */
const SHOWN_CHARS = 80;

/** Runs in the browser, which gets it as source text. `[name, whole]`: whether it knows the name, and the whole. */
function judgeInPage(items: Written[]): Judged {
  const parses = (text: string) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet.cssRules[0];
  };
  const judgeOne = (item: Written): [boolean, boolean] => {
    if (item.kind === "declaration")
      return [CSS.supports(item.property, "inherit"), CSS.supports(item.property, item.value)];
    if (item.kind === "selector") return [true, CSS.supports(`selector(${item.selector})`)];
    if (item.kind === "element") {
      const shape = document.createElementNS("http://www.w3.org/2000/svg", item.name);
      const isShape = shape.constructor !== SVGElement;
      return [true, isShape || !(document.createElement(item.name) instanceof HTMLUnknownElement)];
    }
    if (item.kind === "at-rule") return [true, parses(item.sheet) !== undefined];
    const face = parses(`@font-face{${item.property}:${item.value}}`) as CSSFontFaceRule | undefined;
    return [true, (face?.style.length ?? 0) > 0];
  };
  const names: string[] = [];
  for (const key in document.documentElement.style)
    names.push(key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  return { properties: names.filter((name) => CSS.supports(name, "inherit")), known: items.map(judgeOne) };
}

type Judged = { properties: string[]; known: [isNameKnown: boolean, isKnown: boolean][] };

const adviceOf = (nearest: string | undefined, sign = "") =>
  nearest === undefined ? "Remove it." : `Did you mean "${sign}${nearest}"?`;

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
}

function describeIgnored(item: Written, isNameKnown: boolean, properties: string[]): string {
  switch (item.kind) {
    case "selector":
      return `Got the selector "${short(item.selector)}", which the browser does not know, so it ignores the whole rule. Correct the selector.`;
    case "element": {
      const nearest = nearestName(item.name, ELEMENTS);
      const advice = nearest === undefined ? "Use <div> or <span> instead." : `Did you mean <${nearest}>?`;
      return `Got <${item.name}>, which is no element of HTML, so it is drawn without any style of its own. ${advice}`;
    }
    case "at-rule": {
      const known = AT_RULES.includes(item.name);
      const advice = known ? "Correct what follows the name." : adviceOf(nearestName(item.name, AT_RULES), "@");
      return `Got "@${item.name}", which the browser ignores with everything in it. ${advice}`;
    }
    case "descriptor":
      if (!FONT_FACE_DESCRIPTORS.includes(item.property.toLowerCase()))
        return `Got "${item.property}", which is no descriptor of @font-face. ${adviceOf(nearestName(item.property, FONT_FACE_DESCRIPTORS))}`;
      break;
    case "declaration":
      if (!isNameKnown)
        return `Got "${item.property}", which is no CSS property. ${adviceOf(nearestName(item.property, properties))}`;
  }
  return `Got "${item.property}: ${short(item.value)}", which the browser ignores. Correct the value.`;
}

/**
 * Finds what the browser ignores in style sheets and markup, because it does not know the property, the value, the selector, the
 * at-rule or the element: it changes no picture and gives no other error.
 * @throws AppError as a render does
 */
export async function ignoredStyles(sources: SourceText[], options: RenderOptions = {}): Promise<Notice[]> {
  const written = sources.flatMap(writtenIn);
  if (written.length === 0) return [];
  const measure = `(${judgeInPage})(${JSON.stringify(written)})`;
  const { measured } = await renderPicture({ html: "<!doctype html><p>", width: 16, height: 16, measure }, options);
  const { properties, known } = measured as Judged;
  return written.flatMap((item, index) => {
    const [isNameKnown = true, isKnown = true] = known[index] ?? [];
    const { file, line } = item;
    return isKnown ? [] : [{ file, line, reason: describeIgnored(item, isNameKnown, properties) }];
  });
}
