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

/** Every template that is served, by slug. */
export async function listTemplates(): Promise<TemplateSummary[]> {
  const { templates } = await getRegistry();
  return templates.map(summarize);
}

/** The values of a variant that a request could send. An image of the template's own is left out: it stands where none is sent. */
function sendableValues({ fields }: Template, { content }: Variant): FieldValues {
  const isOwnImage = ([name, value]: [string, unknown]) =>
    fields[name]?.type === "image" && !String(value).startsWith("data:");
  return Object.fromEntries(Object.entries(content).filter((entry) => !isOwnImage(entry)));
}

/** One template with each variant's values: sent as `data`, they draw the variant. @throws AppError `not_found` */
export async function describeTemplate(slug: string): Promise<TemplateDetail> {
  const { templates } = await getRegistry();
  const template = templates.find((candidate) => candidate.slug === slug);
  if (!template) throw new AppError("not_found", "There is no such template.");
  const variants = Object.entries(template.variants).map(([name, variant]) => [
    name,
    sendableValues(template, variant),
  ]);
  return { ...summarize(template), values: Object.fromEntries(variants) };
}
