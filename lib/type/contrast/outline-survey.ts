import { type ViewBox, type ViewBoxReader, viewBoxExpression } from "../images/view-box.ts";
import { keptInPage } from "../kept-in-page.ts";
import { SHAPE_RULE } from "./shape-rule.ts";

/**
 * Runs in the page after its texts are fitted: sets `data-outlined` on elements with `data-outline` where the picture of
 * that field is too much like the paper for letters that are cut out of it. The page gets it as source text, so it refers
 * to nothing outside itself but types.
 */
class OutlineSurvey {
  /** The picture is looked at in so many pixels across and down. */
  size = 64;
  /** It is judged by the palest of so many parts across and down, because letters may lie in any of them. */
  parts = 4;
  /** The contrast with the paper, and the part of the picture that has to have it. */
  ratio: number;
  share: number;
  views: ViewBoxReader;

  constructor({ ratio, share }: { ratio: number; share: number }, views: ViewBoxReader) {
    this.views = views;
    this.ratio = ratio;
    this.share = share;
  }

  mark(): void {
    for (const element of document.querySelectorAll<HTMLElement>("[data-outline]")) {
      const image = element.querySelector<HTMLImageElement>(`img[data-image="${element.dataset.outline}"]`);
      if (image && image.naturalWidth > 0 && this.isAlike(image)) element.dataset.outlined = "";
    }
  }

  isAlike(image: HTMLImageElement): boolean {
    const canvas = new OffscreenCanvas(this.size, this.size);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) return false;
    const paper = this.paperOf(image);
    context.fillStyle = paper;
    context.fillRect(0, 0, 1, 1);
    const ground = this.luminance(context.getImageData(0, 0, 1, 1).data, 0);
    // Letters are white where the picture is transparent.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, this.size, this.size);
    const { x, y, width, height } = this.seenOf(image);
    context.imageSmoothingEnabled = false;
    context.drawImage(image, x, y, width, height, 0, 0, this.size, this.size);
    const { data } = context.getImageData(0, 0, this.size, this.size);
    const apart = new Uint16Array(this.parts ** 2);
    const side = this.size / this.parts;
    for (let pixel = 0; pixel < this.size ** 2; pixel++) {
      const own = this.luminance(data, pixel * 4);
      if ((Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05) < this.ratio) continue;
      const part = Math.floor(pixel / this.size / side) * this.parts + Math.floor((pixel % this.size) / side);
      apart[part] = (apart[part] ?? 0) + 1;
    }
    return Math.min(...apart) / side ** 2 < this.share;
  }

  /** The colour of the nearest opaque element around an image. */
  paperOf(image: HTMLElement): string {
    for (let around = image.parentElement; around; around = around.parentElement) {
      const color = getComputedStyle(around).backgroundColor;
      if (/^rgb\(/.test(color)) return color;
    }
    return "#fff";
  }

  /** The part of an image that `object-fit: cover` shows, in its own pixels. */
  seenOf(image: HTMLImageElement): ViewBox {
    const { clientWidth, clientHeight } = image;
    const style = getComputedStyle(image);
    const whole = this.views.read(image, style);
    const { width: wide, height: high } = whole;
    if (style.objectFit !== "cover" || clientWidth === 0 || clientHeight === 0) return whole;
    const scale = Math.max(clientWidth / wide, clientHeight / high);
    const [width, height] = [clientWidth / scale, clientHeight / scale];
    const [atX = 0.5, atY = 0.5] = style.objectPosition.split(" ").map((part) => Number.parseFloat(part) / 100);
    return { x: whole.x + (wide - width) * atX, y: whole.y + (high - height) * atY, width, height };
  }

  /** Relative luminance of a pixel; https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
  luminance(data: Uint8ClampedArray, at: number): number {
    const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => linear((data[at + channel] ?? 0) / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}

/** Stricter than for the contours of letters, because strokes may follow the pattern of the picture. */
const PICTURE_SHARE = 0.7;

/** The JavaScript expression that marks the elements whose letters need an outline; `null` where there are none. */
export function outlineExpression(html: string): string {
  if (!html.includes("data-outline")) return "null";
  const rule = { ratio: SHAPE_RULE.ratio, share: PICTURE_SHARE };
  return `(new ${keptInPage("outlines", OutlineSurvey.toString())}(${JSON.stringify(rule)}, ${viewBoxExpression()}).mark(), null)`;
}
