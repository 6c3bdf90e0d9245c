import type { CodeOutcome, FitOutcome, Measurements } from "./measurements.ts";

/** The size of an element's content and the padding before and after it, in fractional CSS pixels. */
type Room = { size: number; before: number; after: number };

type MeasuredCode = { image: HTMLImageElement; across: Room; down: Room };

/**
 * Reports on a document once its texts are fitted: QR codes and barcodes, hidden fields, broken images and fonts. The page gets it
 * as source text, so it refers to nothing outside itself but types.
 */
export class PageReport {
  read(fits: FitOutcome[]): Measurements {
    const broken = Array.from(document.images).filter(
      (image) => !image.complete || image.naturalWidth === 0 || this.hasBrokenTile(image, image.src),
    );
    const drawings = Array.from(document.querySelectorAll<SVGImageElement>("svg image"));
    const brokenDrawings = drawings.filter(
      (image) => this.isRefused(image) || this.hasBrokenTile(image, image.href.baseVal),
    );
    const images = Array.from(document.querySelectorAll<HTMLImageElement>("[data-qr],[data-barcode]"));
    // All are measured before any is changed: each change would have the page laid out again for the next one.
    const measured = images.filter((image) => this.isShown(image)).map((image) => this.measureCode(image));
    const codes = measured.map((code) => this.fitCode(code));
    return {
      fits,
      codes,
      hidden: this.findHidden(),
      brokenImages: broken.length + brokenDrawings.length,
      brokenFonts: this.findBrokenFonts(),
    };
  }

  /** Whether an image of a drawing is broken, which its element does not tell: a canvas refuses it. Its pixels are not decoded for that. */
  isRefused(image: SVGImageElement): boolean {
    try {
      new OffscreenCanvas(1, 1).getContext("2d")?.drawImage(image, 0, 0);
      return false;
    } catch {
      return true;
    }
  }

  /**
   * Whether an AVIF of tiles draws nothing. The browser finds a damaged tile only when it draws the image, leaves out the whole image,
   * and says nothing; the decoder that has checked it draws the other tiles. One with transparency may be meant to be invisible.
   */
  hasBrokenTile(image: HTMLImageElement | SVGImageElement, src: string): boolean {
    if (!/^data:image\/avif;base64,/i.test(src)) return false;
    const data = src.indexOf(",") + 1;
    const boxes = atob(src.slice(data, data + 65_536));
    if (!boxes.includes("grid") || boxes.includes("auxC")) return false;
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context?.drawImage(image, 0, 0, 1, 1);
    return context?.getImageData(0, 0, 1, 1).data[3] === 0;
  }

  /** Names the families, each once, that have a face which could not be loaded. Those that no text needs are not loaded. */
  findBrokenFonts(): string[] {
    const refused = Array.from(document.fonts).filter(({ status }) => status === "error");
    return [...new Set(refused.map(({ family }) => family.replace(/^["']|["']$/g, "")))];
  }

  measureCode(image: HTMLImageElement): MeasuredCode {
    return { image, across: this.roomOf(image, "width"), down: this.roomOf(image, "height") };
  }

  /**
   * Gives the modules of a code whole pixels, so that all have the same size. The element keeps its size: the remaining
   * pixels widen the margin of the code. A code with bars is one module high, and its bars fill the height.
   */
  fitCode({ image, across, down }: MeasuredCode): CodeOutcome {
    const modules = image.naturalWidth;
    const isLinear = image.naturalHeight === 1;
    const room = isLinear ? across.size / modules : Math.min(across.size / modules, down.size / image.naturalHeight);
    const drawn = Math.floor(room) * modules;
    if (drawn > 0) {
      const height = isLinear ? down.size : Math.floor(room) * image.naturalHeight;
      const left = Math.floor((across.size - drawn) / 2);
      const top = Math.floor((down.size - height) / 2);
      const right = across.size - drawn - left;
      const bottom = down.size - height - top;
      const sides = [down.before + top, across.after + right, down.after + bottom, across.before + left];
      const padding = sides.map((side) => `${side}px`).join(" ");
      const free = { flex: "none", minWidth: "0", minHeight: "0", maxWidth: "none", maxHeight: "none" };
      Object.assign(image.style, {
        ...free,
        boxSizing: "content-box",
        width: `${drawn}px`,
        height: `${height}px`,
        padding,
      });
    }
    return { field: image.dataset.qr ?? image.dataset.barcode ?? "", room };
  }

  roomOf(element: HTMLElement, size: "width" | "height"): Room {
    const style = getComputedStyle(element);
    const [first, last] = size === "width" ? ["left", "right"] : ["top", "bottom"];
    const pixels = (property: string) => Number.parseFloat(style.getPropertyValue(property)) || 0;
    const [before, after] = [pixels(`padding-${first}`), pixels(`padding-${last}`)];
    const around = before + after + pixels(`border-${first}-width`) + pixels(`border-${last}-width`);
    return { size: pixels(size) - (style.boxSizing === "border-box" ? around : 0), before, after };
  }

  isShown(element: HTMLElement): boolean {
    return element.checkVisibility({ visibilityProperty: true });
  }

  /** Finds the fields that have elements, of which none is visible. */
  findHidden(): string[] {
    const isShown = new Map<string, boolean>();
    for (const element of document.querySelectorAll<HTMLElement>("[data-fit],[data-image],[data-qr],[data-barcode]")) {
      const field = element.dataset.fit ?? element.dataset.image ?? element.dataset.qr ?? element.dataset.barcode ?? "";
      isShown.set(field, isShown.get(field) || this.isShown(element));
    }
    return Array.from(isShown).flatMap(([field, shown]) => (shown ? [] : [field]));
  }
}
