import { cache } from "react";
import { z } from "zod";
import { renderConfig } from "#lib/config.ts";
import { TemplateDetail } from "#lib/schemas/template.ts";
import { faultyTemplates } from "#lib/templates/faults/faulty-templates.ts";
import type { FieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { GET as getTemplate } from "../../api/service/templates/[...slug]/route.ts";
import { GET as getTemplates } from "../../api/service/templates/route.ts";
import { read } from "../../ui/page/read.ts";

/** The declarations are checked already. They are no longer those of `template.json`, whose pictures are names of files. */
const Detail = TemplateDetail.extend({ fields: z.record(z.string(), z.custom<FieldDeclaration>()) });

/** Read once per request, for the title and the page. */
export const findTemplate = cache((path: string) =>
  read(getTemplate, { returns: Detail, params: { slug: path.split("/") } }),
);

/** The template with this slug, if it has faults. */
export const findFaulty = cache(async (slug: string) => {
  const faulty = (await faultyTemplates()).find((template) => template.slug === slug);
  // The route refuses foreign hosts and requests without a session, as for a template that is served.
  if (faulty) await read(getTemplates, { returns: z.array(z.unknown()) });
  return faulty;
});

/** Whether images can be given by their addresses. */
export function acceptsAddresses(): boolean {
  try {
    return renderConfig().images.hosts.length > 0;
  } catch {
    // The render reports an invalid configuration.
    return false;
  }
}
