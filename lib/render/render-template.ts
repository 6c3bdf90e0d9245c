import { AppError, type Issue } from "#lib/errors.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import type { Measurements } from "#lib/templates/fit-text.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import type { FieldValues, Template, Variant } from "#lib/templates/template.ts";
import { renderPicture } from "./render.ts";

export type RenderedTemplate = {
  slug: string;
  png: Buffer;
  /** Milliseconds by stage. */
  timings: Record<string, number>;
};

function findVariant({ slug, variants, defaultVariant }: Template, name: string = defaultVariant): Variant {
  const variant = Object.hasOwn(variants, name) ? variants[name] : undefined;
  if (variant) return variant;
  const names = Object.keys(variants).map((known) => `"${known}"`);
  throw new AppError("unknown_variant", `"${slug}" has no variant "${name.slice(0, 80)}". Want ${names.join(" or ")}.`);
}

function invalidData({ slug }: Template, issues: Issue[]): AppError {
  const onlyImages = issues.every((issue) => issue.code === "image_rejected");
  const count = issues.length === 1 ? "1 field" : `${issues.length} fields`;
  const message = `${count} of template "${slug}" ${issues.length === 1 ? "is" : "are"} invalid.`;
  return new AppError(onlyImages ? "image_rejected" : "invalid_data", message, { issues });
}

/** A picture that lacks an image it was given is not an answer. */
function requireImages({ slug }: Template, { brokenImages }: Measurements): void {
  if (brokenImages === 0) return;
  throw new AppError(
    "image_rejected",
    `${brokenImages === 1 ? "An image" : `${brokenImages} images`} of "${slug}" could not be decoded.`,
  );
}

async function prepareValues(template: Template, { variant, data = {} }: RenderRequest): Promise<FieldValues> {
  const base = findVariant(template, variant).values;
  const { values, issues } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  if (issues.length > 0) throw invalidData(template, issues);
  return values;
}

/**
 * Turns a request into a picture: finds the template, checks the edits, composes the document and draws it.
 * @throws AppError `unknown_template`, `unknown_variant`, `invalid_data` or `image_rejected` with every fault at once, or
 * whatever {@link renderPicture} throws
 */
export async function renderTemplate(request: RenderRequest, signal?: AbortSignal): Promise<RenderedTemplate> {
  const startedAt = performance.now();
  const template = await findTemplate(request.template);
  const values = await prepareValues(template, request);
  const document = composeDocument(template, values);
  const composeMs = performance.now() - startedAt;
  const { png, measured, timings } = await renderPicture(document, signal);
  requireImages(template, measured as Measurements);
  return { slug: template.slug, png, timings: { compose: composeMs, ...timings } };
}
