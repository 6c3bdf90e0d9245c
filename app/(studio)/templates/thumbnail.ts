import type { THUMBNAIL_WIDTHS } from "#lib/schemas/thumbnail.ts";

/** The address of a small picture of a variant. */
export function thumbnail(slug: string, variant: string, width: (typeof THUMBNAIL_WIDTHS)[number]): string {
  return `/api/service/thumbnails/${slug}?${new URLSearchParams({ variant, width: String(width) })}`;
}
