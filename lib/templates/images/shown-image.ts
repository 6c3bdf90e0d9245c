import type { Point } from "#lib/images/prepare/focal-point.ts";
import { type ImageColors, plateFor } from "#lib/type/contrast/image-colors.ts";
import { isHexColor } from "../fields/color.ts";
import type { ImageDeclaration } from "./image-declaration.ts";
import { CENTER } from "./image-request.ts";
import { colorsOf, type ImageValue, urlOf } from "./image-value.ts";

/**
 * An image as a template sees it: its `data:` URL, with properties. Liquid reads own properties only, and refuses those that are
 * undefined.
 */
export class ShownImage {
  readonly focus: Point;
  readonly zoom: number;
  readonly colors: ImageColors;
  /** The plate that the image needs to stand out from the ground that its field declares: `light`, `dark`, or none. */
  readonly ground: "light" | "dark" | null;
  readonly #url: string;

  /** @param colorOf the colour of another field */
  constructor(image: ImageValue, declaration: ImageDeclaration, colorOf: (name: string) => unknown) {
    const known: Exclude<ImageValue, string> = typeof image === "string" ? { src: image } : image;
    const { focus, zoom = 1, focalPoint, palette = [], isOpaque = false } = known;
    const declared = declaration.focus === "center" ? CENTER : declaration.focus;
    this.focus = focus ?? declared ?? focalPoint ?? CENTER;
    this.zoom = zoom;
    this.colors = colorsOf(image);
    const { over } = declaration;
    const ground = over === undefined || isHexColor(over) ? over : colorOf(over);
    this.ground = typeof ground === "string" && !isOpaque ? plateFor(palette, ground) : null;
    this.#url = urlOf(image);
  }

  toString(): string {
    return this.#url;
  }
}
