import { createHash } from "node:crypto";
import { isDevelopment, type RenderConfig, VERSION } from "#lib/config.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import { isRemoteImage } from "#lib/images/read-image.ts";
import { log } from "#lib/log.ts";
import { nearestName } from "#lib/nearest-name.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import { composeDocument, type PageMeasurements } from "#lib/templates/compose.ts";
import { contrastWarnings } from "#lib/templates/contrast-warnings.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { imageWarnings } from "#lib/templates/image-warnings.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import type { FieldValues, Template, Variant } from "#lib/templates/template.ts";
import {
  documentWarnings,
  inFieldOrder,
  layoutWarnings,
  overlongDrawings,
  overlongTexts,
} from "#lib/templates/warnings.ts";
import { judgeContrast } from "#lib/type/contrast/low-contrast.ts";
import type { Measurements } from "#lib/type/fit/measurements.ts";
import type { RenderJob } from "./chromium/page.ts";
import { engineFingerprint } from "./engine.ts";
import type { FinishedPicture, Source } from "./picture-cache.ts";
import { type RenderOptions, rendering, renderPrepared } from "./render.ts";
import { requireRenderConfig } from "./render-config.ts";
import { KEYED_DATA_CHARS, LOGGED_ADDRESSES } from "./render-limits.ts";
import { countFailure, countPicture } from "./render-metrics.ts";

/** A picture. Its warnings say where it differs from the request. */
export type RenderedTemplate = FinishedPicture & {
  slug: string;
  /** Changes with everything that the picture was made of; undefined when {@link keyOf} has no key. */
  etag: string | undefined;
  source: Source;
  /** Milliseconds by stage; empty for a picture that was not rendered for this request. */
  timings: Record<string, number>;
};

function requireVariant({ slug, variants }: Template, name: string): Variant {
  const variant = Object.hasOwn(variants, name) ? variants[name] : undefined;
  if (variant) return variant;
  const names = Object.keys(variants);
  const nearest = nearestName(name, names);
  const suggestion = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  const wanted = names.map((known) => `"${known}"`).join(" or ");
  const message = `"${slug}" has no variant "${name.slice(0, 80)}".${suggestion} Want ${wanted}.`;
  throw new AppError("unknown_variant", message);
}

function invalidData({ slug }: Template, issues: Issue[]): AppError {
  const onlyImages = issues.every((issue) => issue.code === "image_rejected");
  const count = issues.length === 1 ? "1 field" : `${issues.length} fields`;
  const message = `${count} of template "${slug}" ${issues.length === 1 ? "is" : "are"} invalid.`;
  return new AppError(onlyImages ? "image_rejected" : "invalid_data", message, { issues });
}

/** A picture without one of its images is an error. @throws AppError `image_rejected` */
function requireImages({ slug }: Template, { brokenImages }: Measurements): void {
  if (brokenImages === 0) return;
  throw new AppError(
    "image_rejected",
    `${brokenImages === 1 ? "An image" : `${brokenImages} images`} of "${slug}" could not be decoded.`,
  );
}

type Edits = { base: Variant; data: FieldValues; signal: AbortSignal };

async function readEdits(template: Template, { base, data, signal }: Edits) {
  const remote = requireRenderConfig().images;
  const edited = { declarations: template.fields, values: data, base: base.values, path: "/data", signal, remote };
  const { issues, ...read } = await readFields(edited);
  if (issues.length > 0) throw invalidData(template, issues);
  return read;
}

/** Logs addresses that a template refers to but may not load. The request is not at fault, so it succeeds. */
function reportBlocked({ slug }: Template, addresses: string[]): void {
  if (addresses.length === 0) return;
  const line = { slug, addresses: addresses.slice(0, LOGGED_ADDRESSES), count: addresses.length };
  log().warn(line, "A template refers to addresses that it may not load.");
}

type Wanted = { template: Template; variant: string; data: FieldValues };

type RenderNow = RenderOptions & {
  /** Receives the milliseconds by stage. It stays empty for a request that shares a render or gets a kept picture. */
  timings: Record<string, number>;
  /** See {@link RenderJob}. */
  examine?: RenderJob["examine"];
};

/** A picture, the values that it shows, and what was measured and examined in its page. */
type DrawnTemplate = FinishedPicture & { values: FieldValues; measured: Measurements; examined: unknown };

async function drawNow(
  { template, variant, data }: Wanted,
  { timings, examine, ...options }: RenderNow,
): Promise<DrawnTemplate> {
  const base = requireVariant(template, variant);
  const found: Issue[] = [];
  let edited = base.values;
  let shown = new Set<string>();
  const compose = async (whileWanted: AbortSignal) => {
    const { values, warnings } = await readEdits(template, { base, data, signal: whileWanted });
    whileWanted.throwIfAborted();
    const document = composeDocument(template, values);
    edited = values;
    shown = document.shown;
    const composed = { template, base: base.values, values, document };
    const overlong = overlongDrawings(composed);
    if (overlong.length > 0) throw invalidData(template, overlong);
    found.push(...warnings, ...documentWarnings(composed));
    return examine ? { ...document, examine } : document;
  };
  const picture = await renderPrepared(compose, options);
  reportBlocked(template, picture.blockedRequests);
  const measured = picture.measured as PageMeasurements;
  requireImages(template, measured);
  Object.assign(timings, picture.timings);
  const laidOut = { template, base: base.values, values: edited, measured };
  const overlong = overlongTexts(laidOut);
  if (overlong.length > 0) throw invalidData(template, overlong);
  found.push(...layoutWarnings(laidOut), ...imageWarnings({ ...laidOut, images: measured.images }));
  const contrasts = await judgeContrast(measured.contrast, picture);
  found.push(...contrastWarnings({ template, values: edited, shown, contrasts }));
  const { png, examined } = picture;
  return { png, warnings: inFieldOrder(template, found), values: edited, measured, examined };
}

async function renderNow(wanted: Wanted, options: RenderNow): Promise<FinishedPicture> {
  const { png, warnings } = await drawNow(wanted, options);
  return { png, warnings };
}

/**
 * Renders as for a request, and examines the drawn page. The picture is neither cached nor counted.
 * @throws as {@link renderTemplate}
 */
export async function examineTemplate(
  request: RenderRequest,
  options: RenderOptions & { examine?: RenderJob["examine"] },
): Promise<DrawnTemplate & { template: Template; variant: string }> {
  const { template, variant } = await findVariant(request.template, request.variant);
  const wanted = { template, variant, data: request.data ?? {} };
  return { ...(await drawNow(wanted, { ...options, timings: {} })), template, variant };
}

/**
 * Renders a variant with its own content, for the service's own pages. It is not counted as a request, and is not kept
 * among the pictures for requests.
 * @throws whatever {@link renderPrepared} throws
 */
export async function renderVariant(template: Template, variant: string, options: RenderOptions): Promise<Buffer> {
  const { png } = await renderNow({ template, variant, data: {} }, { ...options, timings: {} });
  return png;
}

/** @throws AppError `unknown_template` or `unknown_variant` */
export async function findVariant(slug: string, variant?: string): Promise<{ template: Template; variant: string }> {
  const template = await findTemplate(slug);
  const name = variant ?? template.defaultVariant;
  requireVariant(template, name);
  return { template, variant: name };
}

/** True when all texts together are short enough to be hashed for a key. Stops reading once the limit is exceeded. */
function isShort(value: unknown, left = { chars: KEYED_DATA_CHARS }): boolean {
  if (typeof value === "string") left.chars -= value.length;
  else if (typeof value === "object" && value !== null)
    return Object.entries(value).every(([name, inner]) => isShort(name, left) && isShort(inner, left));
  return --left.chars >= 0;
}

/** True when an image comes from another server, which may answer with another image next time. */
function isFetched({ template, data }: Wanted): boolean {
  const fetches = (fields: Template["fields"], values: unknown): boolean =>
    Object.entries((values ?? {}) as FieldValues).some(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field?.type === "list") return Array.isArray(value) && value.some((item) => fetches(field.item, item));
      return field?.type === "image" && isRemoteImage(value);
    });
  return fetches(template.fields, data);
}

/** A key that changes with everything that can change a pixel; undefined when that is unknown or too long to hash. */
async function keyOf(wanted: Wanted, config: RenderConfig): Promise<string | undefined> {
  const { template, variant, data } = wanted;
  if (isDevelopment() || !isShort(data) || isFetched(wanted)) return undefined;
  const parts = [VERSION, await engineFingerprint(config), template.slug, template.hash, variant, data];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

type Configured = RenderOptions & { config: RenderConfig };

async function renderOnce(wanted: Wanted, { config, ...options }: Configured): Promise<RenderedTemplate> {
  const { signal, caller = "" } = options;
  const { slug } = wanted.template;
  const key = await keyOf(wanted, config);
  const timings: Record<string, number> = {};
  if (!key)
    return { slug, ...(await renderNow(wanted, { ...options, timings })), etag: undefined, source: "drawn", timings };
  const picture = await rendering.get().pictures.get({
    key,
    caller,
    limitBytes: config.cacheBytes,
    render: (whileWanted) => renderNow(wanted, { signal: whileWanted, caller, timings }),
    signal,
  });
  return { slug, ...picture, etag: `"${key}"`, timings };
}

/** Facts about a render that may be logged: names of the registry, and numbers. */
type RenderFacts = Record<string, string | number>;

export type TemplateOptions = RenderOptions & {
  /** Refuses a picture with any warning. */
  isStrict?: boolean;
  /** Receives facts for the log as soon as they are known, also of a render that fails. */
  tell?: (facts: RenderFacts) => void;
};

/** @throws AppError `invalid_data` with the warnings as its issues */
function refuseWarnings({ slug }: Template, warnings: Issue[]): void {
  if (warnings.length === 0) return;
  const what = warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`;
  const message = `The picture of "${slug}" has ${what}, and the request asks for strict handling.`;
  throw new AppError("invalid_data", message, { issues: warnings });
}

/**
 * Turns a request into a picture: finds the template, takes a place in the queue, and only then checks the edits, composes
 * the document and renders it. Identical requests of one caller at the same time are rendered once; later ones of any caller
 * are answered from memory.
 * @throws AppError `unknown_template`, `unknown_variant`, `invalid_data` or `image_rejected` with every fault at once, or
 * whatever {@link renderPrepared} throws
 */
export async function renderTemplate(request: RenderRequest, options: TemplateOptions = {}): Promise<RenderedTemplate> {
  const { isStrict = false, tell = () => undefined, ...rest } = options;
  const startedAt = performance.now();
  let slug: string | undefined;
  try {
    const config = requireRenderConfig();
    const template = await findTemplate(request.template);
    slug = template.slug;
    tell({ template: slug });
    const wanted = { template, variant: request.variant ?? template.defaultVariant, data: request.data ?? {} };
    requireVariant(template, wanted.variant);
    tell({ variant: wanted.variant });
    const rendered = await renderOnce(wanted, { ...rest, config });
    const { source, warnings, timings } = rendered;
    tell({ source, warnings: warnings.length, ...(timings.queue && { queueMs: Math.round(timings.queue) }) });
    if (isStrict) refuseWarnings(template, warnings);
    countPicture({ ...rendered, template: slug, ms: performance.now() - startedAt });
    return rendered;
  } catch (error) {
    countFailure(slug, error, rest.signal);
    throw error;
  }
}
