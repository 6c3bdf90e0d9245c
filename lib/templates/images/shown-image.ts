import type { Point } from "#lib/images/prepare/focal-point.ts";
import type { ImageDeclaration } from "./image-declaration.ts";
import { CENTER } from "./image-request.ts";
import { type ImageValue, urlOf } from "./image-value.ts";

/**
 * An image as a template sees it: its `data:` URL, with properties. Liquid reads own properties only, and refuses those that are
 * undefined.
 */
export class ShownImage {
  readonly focus: Point;
  readonly zoom: number;
  readonly #url: string;

  constructor(image: ImageValue, declaration: ImageDeclaration) {
    const { focus, zoom = 1, focalPoint } = typeof image === "string" ? {} : image;
    const declared = declaration.focus === "center" ? CENTER : declaration.focus;
    this.focus = focus ?? declared ?? focalPoint ?? CENTER;
    this.zoom = zoom;
    this.#url = urlOf(image);
  }

  toString(): string {
    return this.#url;
  }
}
