import { AppError } from "#lib/errors.ts";
import { imageSource } from "#lib/images/image-source.ts";
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

/** The image fields whose value is one of the template's own assets. A request cannot send such a value. */
function ownNames(fields: Template["fields"], content: FieldValues): string[] {
  return Object.keys(content).filter(
    (name) =>
      fields[name]?.type === "image" && content[name] && !String(imageSource(content[name])).startsWith("data:"),
  );
}

function ownImages({ fields }: Template, { content }: Variant): string[] {
  return ownNames(fields, content);
}

function withoutOwn(fields: Template["fields"], content: FieldValues): FieldValues {
  const own = ownNames(fields, content);
  const kept = Object.entries(content).filter(([name]) => !own.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const field = fields[name];
      const isList = field?.type === "list" && Array.isArray(value);
      return [name, isList ? value.map((item: FieldValues) => withoutOwn(field.item, item)) : value];
    }),
  );
}

/** The values of a variant that a request can send. Items of a list are sent without the template's own images. */
function sendableValues({ fields }: Template, { content }: Variant): FieldValues {
  return withoutOwn(fields, content);
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
