/**
 * The text nodes of a document, for the classes that change faces. The page gets it as source text, so it refers to nothing
 * outside itself.
 */
export class PageTexts {
  /** All text nodes, as a list that later changes of the document do not affect. */
  nodes(): Text[] {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node as Text);
    return nodes;
  }

  /** The first family of a CSS list, without quotes. */
  firstFamily(families: string): string {
    return (/^\s*(?:"([^"]*)"|([^,]*))/.exec(families)?.slice(1).find(Boolean) ?? "").trim();
  }

  /** A new element for a part of the text of `parent`. It looks like the text around it. */
  inlineElement(parent: Element): HTMLElement | SVGElement {
    const SVG = "http://www.w3.org/2000/svg";
    return parent.namespaceURI === SVG ? document.createElementNS(SVG, "tspan") : document.createElement("text-face");
  }
}
