import { AppError } from "#lib/errors.ts";
import { isObject } from "#lib/json-kinds.ts";
import { requireVariant } from "#lib/render/draw-template.ts";
import type { LinkPayload } from "#lib/schemas/link.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { type FieldDeclaration, fieldType } from "#lib/templates/fields/field-types.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import type { FieldValues, Template } from "#lib/templates/template.ts";
import { prepareTemplates } from "#scripts/prepare.ts";

type Fields = Record<string, FieldDeclaration>;

const isAddress = (source: unknown) => typeof source === "string" && /^https?:\/\//i.test(source.trim());

/** A value whose images with an address are replaced by a small one: nothing is fetched, and the service may accept other hosts. */
function withoutAddress(value: unknown, declaration: FieldDeclaration): unknown {
  if (declaration.type === "list" && Array.isArray(value))
    return value.map((item) => (isObject(item) ? withoutAddresses(item, declaration.item) : item));
  if (declaration.type !== "image") return value;
  const sample = fieldType(declaration).sample(declaration);
  if (isObject(value)) return isAddress(value.src) ? { ...value, src: sample } : value;
  return isAddress(value) ? sample : value;
}

function withoutAddresses(values: FieldValues, fields: Fields): FieldValues {
  const entries = Object.entries(values).map(([name, value]): [string, unknown] => {
    const declaration = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, declaration ? withoutAddress(value, declaration) : value];
  });
  return Object.fromEntries(entries);
}

/** The fault of an option that names a variant which the template does not have. */
function variantFaults(template: Template, option: string, name: string | undefined): string[] {
  try {
    if (name !== undefined) requireVariant(template, name);
    return [];
  } catch (error) {
    if (error instanceof AppError) return [`${option}: ${error.message}`];
    throw error;
  }
}

async function dataFaults({ fields, variants, defaultVariant }: Template, { variant, data = {} }: LinkPayload) {
  const name = variant !== undefined && Object.hasOwn(variants, variant) ? variant : defaultVariant;
  const { issues } = await readFields({
    declarations: fields,
    values: withoutAddresses(data, fields),
    base: variants[name]?.values ?? {},
    path: "/data",
  });
  return issues.map(({ path, message }) => `--data: ${path} ${message}`);
}

/**
 * Finds what the templates of this machine refuse in a link: the template, its variants and the edits. It draws nothing and
 * fetches no image.
 * @returns every fault at once, each in a line
 */
export async function linkFaults(link: LinkPayload): Promise<string[]> {
  try {
    await prepareTemplates();
    const template = await findTemplate(link.template);
    return [
      ...variantFaults(template, "--variant", link.variant),
      ...variantFaults(template, "--fallback", link.fallback),
      ...(await dataFaults(template, link)),
    ];
  } catch (error) {
    if (error instanceof AppError) return [error.message];
    throw error;
  }
}
