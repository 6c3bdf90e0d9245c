import { keptInPage } from "../kept-in-page.ts";

/** A part of an image, in its own pixels. */
export type ViewBox = { x: number; y: number; width: number; height: number };

/**
 * Runs in the page: reads which part of an image its element shows, which `object-view-box` says. `naturalWidth` is that of the
 * whole image. The page gets it as source text, so it refers to nothing outside itself but types.
 */
export class ViewBoxReader {
  read(image: HTMLImageElement, style: CSSStyleDeclaration): ViewBox {
    const [wide, high] = [image.naturalWidth, image.naturalHeight];
    const insets = /^inset\(([^()]+)\)$/.exec(style.getPropertyValue("object-view-box"))?.[1]?.split(" ") ?? [];
    const [top = 0, right = top, bottom = top, left = right] = insets.map((inset) => Number.parseFloat(inset) / 100);
    return {
      x: left * wide,
      y: top * high,
      width: Math.max(1, wide * (1 - left - right)),
      height: Math.max(1, high * (1 - top - bottom)),
    };
  }
}

/** The JavaScript expression for a {@link ViewBoxReader}. */
export function viewBoxExpression(): string {
  return `new ${keptInPage("viewBox", ViewBoxReader.toString())}()`;
}
