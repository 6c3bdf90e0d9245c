import { type ViewBoxReader, viewBoxExpression } from "../images/view-box.ts";
import { keptInPage } from "../kept-in-page.ts";

/** How one element shows the image of a field. */
export type ImageOutcome = {
  field: string;
  /** Pixels of the image, or of its part that counts: inside its empty edges, and as small as its zoom asks. */
  width: number;
  height: number;
  /** CSS pixels for one pixel of the image, in the direction in which it is blown up most. */
  scale: number;
  /** The part of the image that is inside its element and inside the picture, from 0 to 1. */
  shown: number;
  /** The room of the element, in CSS pixels. */
  room: { width: number; height: number };
};

type Span = { start: number; end: number };

/**
 * Runs in the page: tells how large the images of fields are drawn, and how much of them is seen. The page gets it as
 * source text, so it refers to nothing outside itself but types.
 */
class ImageSurvey {
  views: ViewBoxReader;

  constructor(views: ViewBoxReader) {
    this.views = views;
  }

  read(): ImageOutcome[] {
    const images = Array.from(document.querySelectorAll<HTMLImageElement>("img[data-image]"));
    // A vector image has no pixels to blow up.
    const isRaster = (image: HTMLImageElement) => image.naturalWidth > 0 && !image.src.startsWith("data:image/svg");
    return images
      .filter((image) => isRaster(image) && image.checkVisibility({ visibilityProperty: true }))
      .map((image) => this.outcomeOf(image));
  }

  outcomeOf(image: HTMLImageElement): ImageOutcome {
    const style = getComputedStyle(image);
    const room = { width: this.contentOf(image, style, "width"), height: this.contentOf(image, style, "height") };
    const { width, height } = this.views.read(image, style);
    const [across, down] = this.scalesOf(style.objectFit, room.width / width, room.height / height);
    const [atX = "50%", atY = "50%"] = style.objectPosition.split(" ");
    const horizontal = this.visible(width * across, room.width, atX);
    const vertical = this.visible(height * down, room.height, atY);
    const outer = image.getBoundingClientRect();
    const grown = outer.width / (image.offsetWidth || outer.width || 1);
    const left = outer.left + this.before(style, "left") * grown;
    const top = outer.top + this.before(style, "top") * grown;
    const seen = this.clip(image, {
      left: left + horizontal.start * grown,
      right: left + horizontal.end * grown,
      top: top + vertical.start * grown,
      bottom: top + vertical.end * grown,
    });
    const whole = width * across * grown * (height * down * grown);
    const scale = Math.max(across, down) * grown;
    const [wide, high] = [Math.round(width), Math.round(height)];
    const shown = whole > 0 ? seen / whole : 0;
    return { field: image.dataset.image ?? "", width: wide, height: high, scale, shown, room };
  }

  scalesOf(fit: string, across: number, down: number): [number, number] {
    const [least, most] = [Math.min(across, down), Math.max(across, down)];
    if (fit === "cover") return [most, most];
    if (fit === "contain") return [least, least];
    if (fit === "none") return [1, 1];
    if (fit === "scale-down") return [Math.min(1, least), Math.min(1, least)];
    return [across, down];
  }

  /** The part of the room that an image of this size fills, at its `object-position`. */
  visible(size: number, room: number, position: string): Span {
    const value = Number.parseFloat(position) || 0;
    const start = position.endsWith("%") ? ((room - size) * value) / 100 : value;
    return { start: Math.max(0, start), end: Math.max(0, Math.min(room, start + size)) };
  }

  before(style: CSSStyleDeclaration, side: "left" | "top"): number {
    const pixels = (property: string) => Number.parseFloat(style.getPropertyValue(property)) || 0;
    return pixels(`padding-${side}`) + pixels(`border-${side}-width`);
  }

  contentOf(image: HTMLImageElement, style: CSSStyleDeclaration, size: "width" | "height"): number {
    const pixels = (property: string) => Number.parseFloat(style.getPropertyValue(property)) || 0;
    const sides = size === "width" ? ["left", "right"] : ["top", "bottom"];
    const padding = sides.reduce((sum, side) => sum + pixels(`padding-${side}`), 0);
    return Math.max(0, (size === "width" ? image.clientWidth : image.clientHeight) - padding);
  }

  /** The area of a box that neither the picture nor an element around the image cuts off. */
  clip(image: Element, box: { left: number; right: number; top: number; bottom: number }): number {
    let { left, right, top, bottom } = box;
    const cut = (by: { left: number; right: number; top: number; bottom: number }) => {
      [left, right] = [Math.max(left, by.left), Math.min(right, by.right)];
      [top, bottom] = [Math.max(top, by.top), Math.min(bottom, by.bottom)];
    };
    cut({ left: 0, right: innerWidth, top: 0, bottom: innerHeight });
    for (let element = image.parentElement; element && element !== document.body; element = element.parentElement)
      if (getComputedStyle(element).overflow !== "visible") cut(element.getBoundingClientRect());
    return Math.max(0, right - left) * Math.max(0, bottom - top);
  }
}

/** The JavaScript expression that measures the images of fields. Its value is `ImageOutcome[]`. */
export function imagesExpression(): string {
  return `new ${keptInPage("images", ImageSurvey.toString())}(${viewBoxExpression()}).read()`;
}
