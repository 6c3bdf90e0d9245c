import type { z } from "zod";
import { TemplateSummary } from "#lib/schemas/template.ts";

/** A template as the gallery reads it. Fields are most of a list, and nothing here is about them. */
export const ListedTemplate = TemplateSummary.omit({ fields: true });

type ListedTemplate = z.output<typeof ListedTemplate>;

/** What the gallery shows of a template and searches in: all of it goes to the browser. */
export type GalleryItem = Omit<ListedTemplate, "defaultVariant" | "variants"> & { variantCount: number };

/** The part of a template that the gallery needs. */
export function toGalleryItem({ variants, defaultVariant: _, ...shown }: ListedTemplate): GalleryItem {
  return { ...shown, variantCount: variants.length };
}
