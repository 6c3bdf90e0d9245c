import { elementsOf, type HtmlElement } from "../document-tree.ts";
import { type FileFault, MARKUP_FILE } from "../template.ts";
import { maskLiquid } from "./mask-liquid.ts";
import { type Branch, withOneBranch } from "./one-branch.ts";

const fitOf = (element: HtmlElement) => element.attrs.find(({ name }) => name === "data-fit")?.value;

/** The nearest element around this one that has a text to fit. */
function fittedAround({ parentNode }: HtmlElement): HtmlElement | undefined {
  if (!parentNode || !("tagName" in parentNode)) return undefined;
  return fitOf(parentNode) === undefined ? fittedAround(parentNode) : parentNode;
}

function faultsIn(elements: HtmlElement[]): FileFault[] {
  return elements.flatMap((inner): FileFault[] => {
    const outer = fitOf(inner) === undefined ? undefined : fittedAround(inner);
    if (!outer) return [];
    const tell = (element: HtmlElement, where: string, other: HtmlElement): FileFault => ({
      file: MARKUP_FILE,
      line: element.sourceCodeLocation?.startLine ?? 1,
      reason: `Got data-fit="${fitOf(element)}" ${where} an element with data-fit="${fitOf(other)}", so the text would be lost. Keep one of the two.`,
    });
    return [tell(outer, "around", inner), tell(inner, "inside", outer)];
  });
}

const BRANCHES: Branch[] = ["first", "last"];

/**
 * Finds elements with `data-fit` inside each other, whose text would be lost: a text is taken out of its element and written back
 * in lines. Both have a fault, because they may be in different files. Elements that begin in two branches of Liquid and end
 * together are not inside each other.
 */
export function nestedFits(source: string): FileFault[] {
  const found = BRANCHES.flatMap((kept) => faultsIn(elementsOf(maskLiquid(withOneBranch(source, kept)))));
  return found.filter(
    ({ line, reason }, index) => index === found.findIndex((other) => other.line === line && other.reason === reason),
  );
}
