import { AppError } from "#lib/errors.ts";
import type { TemplateDetail, TemplateSummary } from "#lib/schemas/template.ts";
import { getRegistry } from "./registry.ts";
import type { FieldValues, Template, Variant } from "./template.ts";

function summarize({
  slug,
  title,
  description,
  tags,
  width,
  height,
  defaultVariant,
  variants,
  fields,
}: Template): TemplateSummary {
  return { slug, title, description, tags, width, height, defaultVariant, variants: Object.keys(variants), fields };
}

/** Lists every template that is served, sorted by slug. */
export async function listTemplates(): Promise<TemplateSummary[]> {
  const { templates } = await getRegistry();
  return templates.map(summarize);
}

/** The image fields for which a variant shows one of the template's own assets. A request cannot send such a value. */
function ownImages({ fields }: Template, { content }: Variant): string[] {
  return Object.keys(content).filter(
    (name) => fields[name]?.type === "image" && content[name] && !String(content[name]).startsWith("data:"),
  );
}

/** The values of a variant that a request can send. */
function sendableValues(template: Template, variant: Variant): FieldValues {
  const own = ownImages(template, variant);
  return Object.fromEntries(Object.entries(variant.content).filter(([name]) => !own.includes(name)));
}

/** Describes a template with the values of each variant, as they could be sent. @throws AppError `not_found` */
export async function describeTemplate(slug: string): Promise<TemplateDetail> {
  const { templates } = await getRegistry();
  const template = templates.find((candidate) => candidate.slug === slug);
  if (!template) throw new AppError("not_found", "There is no such template. GET /api/service/templates lists them.");
  const byVariant = <T>(read: (template: Template, variant: Variant) => T) =>
    Object.fromEntries(Object.entries(template.variants).map(([name, variant]) => [name, read(template, variant)]));
  return { ...summarize(template), values: byVariant(sendableValues), ownImages: byVariant(ownImages) };
}
