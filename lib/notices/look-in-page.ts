import { NEED_OF, type Need } from "./idle-needs.ts";
import { type JudgedRule, type Pseudo, rulesOf } from "./judged-rules.ts";
import type { SourceText } from "./notice.ts";

/** The name and the classes of an element. */
export type Names = { tag: string; classes: string[] };

/** What one picture tells about a rule. */
export type SeenRule = {
  /** Its elements and pseudo-elements with what is around them. */
  elements: { own: Names; around: Names; pseudo: Pseudo }[];
  /** Elements whose pseudo-element has no content, so that there is none. */
  missing: { own: Names; pseudo: Pseudo }[];
  /** The properties that have an effect on none. */
  idle: string[];
};

/** What one picture tells about the style sheets of its template. */
export type SeenStyles = {
  rules: SeenRule[];
  /** Whether the elements with `data-fit` may break their lines, by the name of their field or of that of an item. */
  wraps: Record<string, boolean>;
};

type LookedFor = Pick<JudgedRule, "targets" | "isInline"> & { properties: string[] };

type Box = { element: Element; pseudo: Pseudo };

type IdleTest = (box: Box, property: string) => boolean;

/** Runs in the browser, which gets it as source text. */
function idleTest(needOf: Record<string, Need>): IdleTest {
  const displayOf = (element: Element | null): string => {
    const display = element ? getComputedStyle(element).display : "";
    return display === "contents" ? displayOf(element?.parentElement ?? null) : display;
  };
  const isFlex = (display: string) => /flex/.test(display);
  const isGrid = (display: string) => /grid/.test(display);
  const met: Record<Need, (element: Element, style: CSSStyleDeclaration, display: string, around: string) => boolean> =
    {
      container: (_, __, display) => isFlex(display) || isGrid(display),
      gaps: (_, { columnCount, columnWidth }, display) =>
        isFlex(display) || isGrid(display) || columnCount !== "auto" || columnWidth !== "auto",
      flex: (_, __, display) => isFlex(display),
      grid: (_, __, display) => isGrid(display),
      flexItem: (_, { position }, __, around) => isFlex(around) && !/absolute|fixed/.test(position),
      gridItem: (_, __, ___, around) => isGrid(around),
      item: (_, { position }, __, around) => isFlex(around) || isGrid(around) || /absolute|fixed/.test(position),
      box: (element, _, display) => display !== "inline" || /^(?:img|svg|br|wbr)$/.test(element.localName),
      placed: (_, { position }) => position !== "static",
      stacked: (_, { position }, __, around) => position !== "static" || isFlex(around) || isGrid(around),
      image: ({ localName }) => localName === "img" || localName === "svg",
      table: (_, __, display) => /table$/.test(display),
      aligned: (_, __, display) => /^inline|table-cell/.test(display),
      clipped: (_, { overflowX }) => overflowX !== "visible",
    };
  return ({ element, pseudo }: Box, property: string) => {
    const style = getComputedStyle(element, pseudo);
    const around = pseudo === "" ? element.parentElement : element;
    const need = needOf[property];
    return need !== undefined && !met[need](element, style, style.display, displayOf(around));
  };
}

/** Runs in the browser, which gets it as source text. */
function lookInPage(rules: LookedFor[], isIdle: IdleTest): SeenStyles {
  const isSvg = (element: Element) => element.namespaceURI !== "http://www.w3.org/1999/xhtml";
  // An element without a box, such as one that is hidden here, tells nothing. Shapes of SVG have rules of their own.
  const elementsOf = (selector: string) => {
    try {
      return Array.from(document.querySelectorAll(selector)).filter(
        (element) => element.getClientRects().length > 0 && !(isSvg(element) && element.localName !== "svg"),
      );
    } catch {
      return [];
    }
  };
  const namesOf = (element: Element | null): Names => ({
    tag: element?.localName ?? "",
    classes: Array.from(element?.classList ?? []),
  });
  const hasBox = ({ element, pseudo }: Box) =>
    pseudo === "" || !/^(?:none|normal)$/.test(getComputedStyle(element, pseudo).content);
  const isThere = ({ element }: Box, property: string) =>
    (element as HTMLElement).style.getPropertyValue(property) !== "";
  const seen = rules.map(({ targets, properties, isInline }): SeenRule => {
    const found = targets.flatMap(({ selector, pseudo }) =>
      elementsOf(selector).map((element): Box => ({ element, pseudo })),
    );
    const hosted = isInline ? found.filter((box) => properties.some((property) => isThere(box, property))) : found;
    const boxes = hosted.filter(hasBox);
    return {
      elements: boxes.map(({ element, pseudo }) => ({
        own: namesOf(element),
        around: namesOf(pseudo === "" ? element.parentElement : element),
        pseudo,
      })),
      missing: hosted
        .filter((box) => !boxes.includes(box))
        .map(({ element, pseudo }) => ({ own: namesOf(element), pseudo })),
      idle: properties.filter((property) => boxes.every((box) => isIdle(box, property))),
    };
  });
  const fitted = Array.from(document.querySelectorAll<HTMLElement>("[data-fit]"));
  // The engine has written its own lines into the element.
  for (const { style } of fitted) style.removeProperty("text-wrap");
  const mayWrap = (element: HTMLElement) => getComputedStyle(element).getPropertyValue("text-wrap-mode") !== "nowrap";
  const wraps = fitted.map((element): [string, boolean] => [element.dataset.fit ?? "", mayWrap(element)]);
  return { rules: seen, wraps: Object.fromEntries(wraps) };
}

/** An expression that looks at a drawn page. Its value is of type {@link SeenStyles}. */
export function lookExpression(sources: SourceText[]): string {
  const rules = rulesOf(sources).map(
    ({ targets, declarations, isInline }): LookedFor => ({
      targets,
      properties: declarations.map(({ property }) => property),
      isInline,
    }),
  );
  return `(${lookInPage})(${JSON.stringify(rules)}, (${idleTest})(${JSON.stringify(NEED_OF)}))`;
}
