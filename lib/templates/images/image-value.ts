import type { Found } from "#lib/images/prepare/find-in-image.ts";
import type { Point } from "#lib/images/prepare/focal-point.ts";
import { type ImageColors, nameColors } from "#lib/type/contrast/image-colors.ts";

/** How a request or a variant wants an image to be shown. */
export type AskedCrop = {
  /** The point that cropping keeps. */
  focus?: Point;
  /** How many times the image is blown up around its focus, from 1 to `MAX_ZOOM`. */
  zoom?: number;
};

/** A checked image: a `data:` URL, and with how it is shown and what was found in it where there is any of it. It is JSON. */
export type ImageValue = string | ({ src: string } & AskedCrop & Found);

/** The `data:` URL of an image. */
export function urlOf(image: ImageValue): string {
  return typeof image === "string" ? image : image.src;
}

/** Whether colours were found in an image. */
export function hasColors(image: ImageValue): boolean {
  return typeof image === "object" && image.palette !== undefined && image.palette.length > 0;
}

/** The colours of an image, which are those of no image where they were not looked for. */
export function colorsOf(image: ImageValue): ImageColors {
  return nameColors((typeof image === "object" && image.palette) || []);
}

/** An image with what is known about it. */
export function imageValue(src: string, about: AskedCrop & Found): ImageValue {
  return Object.keys(about).length === 0 ? src : { src, ...about };
}
