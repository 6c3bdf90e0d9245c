import { z } from "zod";

const name = z.string();

/** A field as the discovery routes show it: its type, label and limits as declared. */
const FieldDescription = z.looseObject({
  type: z.string(),
  label: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
});

/** One template as `GET /api/service/templates` lists it. */
export const TemplateSummary = z
  .object({
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    width: z.number().int().describe("CSS pixels, and the PNG's width"),
    height: z.number().int().describe("CSS pixels, and the PNG's height"),
    defaultVariant: name,
    variants: z.array(name),
    fields: z.record(name, FieldDescription),
  })
  .meta({ id: "TemplateSummary" });

/** One template as `GET /api/service/templates/<slug>` describes it. */
export const TemplateDetail = TemplateSummary.extend({
  values: z.record(name, z.record(name, z.unknown())).describe("The values of each variant, by variant and field"),
  ownImages: z
    .record(name, z.array(name))
    .describe("The image fields of each variant that show the template's own image when none is sent"),
}).meta({ id: "TemplateDetail" });

export type TemplateSummary = z.infer<typeof TemplateSummary>;
export type TemplateDetail = z.infer<typeof TemplateDetail>;
