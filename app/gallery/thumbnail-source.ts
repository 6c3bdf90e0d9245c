import { THUMBNAIL_WIDTHS } from "#lib/schemas/thumbnail.ts";

type Pictured = { slug: string; width: number; variant?: string };

/** The address of a template's picture of one width. */
function thumbnailHref({ slug, variant }: Pictured, width: number): string {
  const path = slug.split("/").map(encodeURIComponent).join("/");
  const query = variant === undefined ? "" : `variant=${encodeURIComponent(variant)}&`;
  return `/api/service/thumbnails/${path}?${query}width=${width}`;
}

/** `src` and `srcset` of a template's picture. Those that are wider than the template would all be the same. */
export function thumbnailSource(pictured: Pictured): { src: string; srcSet: string } {
  const [narrowest] = THUMBNAIL_WIDTHS;
  const widths = THUMBNAIL_WIDTHS.filter((_, at) => (THUMBNAIL_WIDTHS[at - 1] ?? 0) < pictured.width);
  const srcSet = widths.map((width) => `${thumbnailHref(pictured, width)} ${Math.min(width, pictured.width)}w`);
  return { src: thumbnailHref(pictured, widths.includes(640) ? 640 : narrowest), srcSet: srcSet.join(", ") };
}
