import { AppError, type Issue } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import type { Measurements } from "#lib/templates/fit-text.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import type { FieldValues, Template, Variant } from "#lib/templates/template.ts";
import { LOGGED_ADDRESSES } from "./limits.ts";
import { renderPrepared, requireRenderConfig } from "./render.ts";

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

type Edits = { base: Variant; data: FieldValues; signal: AbortSignal };

async function readEdits(template: Template, { base, data, signal }: Edits): Promise<FieldValues> {
  const edited = { declarations: template.fields, values: data, base: base.values, path: "/data", signal };
  const { values, issues } = await readFields(edited);
  if (issues.length > 0) throw invalidData(template, issues);
  return values;
}

/** No fault of the request, so that it is answered; the template asks for what it will never get, and its author must hear of it. */
function reportBlocked({ slug }: Template, addresses: string[]): void {
  if (addresses.length === 0) return;
  const line = { slug, addresses: addresses.slice(0, LOGGED_ADDRESSES), count: addresses.length };
  log().warn(line, "A template asked for what no template may load.");
}

/**
 * Turns a request into a picture: finds the template, takes a place in the queue, and only then checks the edits, composes
 * the document and draws it.
 * @throws AppError `unknown_template`, `unknown_variant`, `invalid_data` or `image_rejected` with every fault at once, or
 * whatever {@link renderPrepared} throws
 */
export async function renderTemplate(request: RenderRequest, signal?: AbortSignal): Promise<RenderedTemplate> {
  requireRenderConfig();
  const template = await findTemplate(request.template);
  const base = findVariant(template, request.variant);
  const compose = async (whileWanted: AbortSignal) => {
    const values = await readEdits(template, { base, data: request.data ?? {}, signal: whileWanted });
    whileWanted.throwIfAborted();
    return composeDocument(template, values);
  };
  const { png, measured, timings, blockedRequests } = await renderPrepared(compose, signal);
  reportBlocked(template, blockedRequests);
  requireImages(template, measured as Measurements);
  return { slug: template.slug, png, timings };
}
