import { z } from "zod";

/** The body of `POST /api/service/images/render`. */
export const RenderRequest = z.strictObject({
  template: z.string().min(1).meta({ description: "The slug of a template." }),
  variant: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "One of the template's variants; its default when absent." }),
  data: z.record(z.string(), z.unknown()).optional().meta({ description: "Edits of the template's fields." }),
});

export type RenderRequest = z.infer<typeof RenderRequest>;
