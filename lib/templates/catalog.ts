import { AppError } from "#lib/errors.ts";
import type { TemplateDetail, TemplateSummary } from "#lib/schemas/template.ts";
import { getRegistry } from "./registry.ts";
import type { Template } from "./template.ts";

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

/** Every template that is served, by slug. */
export async function listTemplates(): Promise<TemplateSummary[]> {
  const { templates } = await getRegistry();
  return templates.map(summarize);
}

/** One template with each variant's values. @throws AppError `not_found` */
export async function describeTemplate(slug: string): Promise<TemplateDetail> {
  const { templates } = await getRegistry();
  const template = templates.find((candidate) => candidate.slug === slug);
  if (!template) throw new AppError("not_found", "There is no such template.");
  const values = Object.fromEntries(Object.entries(template.variants).map(([name, { content }]) => [name, content]));
  return { ...summarize(template), values };
}
