import type { TemplateSummary } from "#lib/schemas/template.ts";

/** What the gallery shows of a template and searches in: all of it goes to the browser. */
export type GalleryItem = Pick<TemplateSummary, "slug" | "title" | "description" | "tags" | "width" | "height"> & {
  variantCount: number;
};

/** The part of a template that the gallery needs. */
export function toGalleryItem(template: TemplateSummary): GalleryItem {
  const { slug, title, description, tags, width, height, variants } = template;
  return { slug, title, description, tags, width, height, variantCount: variants.length };
}
