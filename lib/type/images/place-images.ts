import { keptInPage } from "../kept-in-page.ts";
import { type ViewBoxReader, viewBoxExpression } from "./view-box.ts";

/** A point of an image, as fractions of its width and height. */
type Point = { x: number; y: number };

/**
 * Runs in the page after its texts are fitted, because a crop depends on the shape of its element: has a point of an image in
 * the middle of what is shown, as far as the image reaches. The page gets it as source text, so it refers to nothing outside
 * itself but types.
 */
class ImagePlacing {
  views: ViewBoxReader;

  constructor(views: ViewBoxReader) {
    this.views = views;
  }

  place(points: Record<string, Point>): void {
    for (const image of document.querySelectorAll<HTMLImageElement>("img[data-image]")) {
      const point = points[image.dataset.image ?? ""];
      if (!point || image.naturalWidth === 0) continue;
      const style = getComputedStyle(image);
      // A template that says where its images are keeps them there.
      if (style.objectFit !== "cover" || style.objectPosition !== "50% 50%") continue;
      const { width, height } = this.views.read(image, style);
      const room = { width: this.roomOf(image, style, "width"), height: this.roomOf(image, style, "height") };
      const scale = Math.max(room.width / width, room.height / height);
      if (!(scale > 0)) continue;
      const across = this.positionOf(point.x, room.width / (width * scale));
      const down = this.positionOf(point.y, room.height / (height * scale));
      image.style.objectPosition = `${across}% ${down}%`;
    }
  }

  /** The `object-position`, in percent, that has a point in the middle of a window of this size, which is a fraction too. */
  positionOf(point: number, size: number): number {
    const rest = 1 - size;
    if (rest < 0.000_1) return 50;
    const start = Math.min(Math.max(point - size / 2, 0), rest);
    return Math.round((start / rest) * 10_000) / 100;
  }

  roomOf(image: HTMLImageElement, style: CSSStyleDeclaration, size: "width" | "height"): number {
    const pixels = (property: string) => Number.parseFloat(style.getPropertyValue(property)) || 0;
    const [before, after] = size === "width" ? ["left", "right"] : ["top", "bottom"];
    const inner = size === "width" ? image.clientWidth : image.clientHeight;
    return inner - pixels(`padding-${before}`) - pixels(`padding-${after}`);
  }
}

/** The JavaScript expression that places images; `null` where none is to be placed. */
export function placeExpression(points: Record<string, Point>): string {
  if (Object.keys(points).length === 0) return "null";
  const placing = keptInPage("placing", ImagePlacing.toString());
  return `(new ${placing}(${viewBoxExpression()}).place(${JSON.stringify(points)}), null)`;
}
