import { AppError, type Issue } from "#lib/errors.ts";
import { inThreadTurn } from "#lib/images/thread-turns.ts";
import { log } from "#lib/log.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { composeDocument, type PageMeasurements } from "#lib/templates/compose.ts";
import { contrastWarnings } from "#lib/templates/contrast-warnings.ts";
import { MAX_UNKNOWN_FIELDS, readFields } from "#lib/templates/field-values.ts";
import { imageWarnings } from "#lib/templates/image-warnings.ts";
import { fetchesImages } from "#lib/templates/images/fetches-images.ts";
import { toneImages } from "#lib/templates/images/tone-images.ts";
import { documentTooLong } from "#lib/templates/liquid.ts";
import { tooLongIssue } from "#lib/templates/lists/repeated-values.ts";
import { withStandIns } from "#lib/templates/lists/stand-in-texts.ts";
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
import type { FinishedPicture } from "./picture-cache.ts";
import type { RenderOptions } from "./queue/render-task.ts";
import { renderPrepared } from "./render.ts";
import { requireRenderConfig } from "./render-config.ts";
import type { RenderJob } from "./render-job.ts";
import { LOGGED_ADDRESSES } from "./render-limits.ts";

/** @throws AppError `unknown_variant` */
export function requireVariant({ slug, variants }: Template, name: string): Variant {
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
  const fields = new Set(issues.flatMap(({ path }) => path.split("/")[2] ?? [])).size;
  const count = fields >= MAX_UNKNOWN_FIELDS ? `${MAX_UNKNOWN_FIELDS} or more` : fields;
  const invalid = fields === 0 ? "The data" : `${count} ${fields === 1 ? "field" : "fields"}`;
  const message = `${invalid} of template "${slug}" ${fields > 1 ? "are" : "is"} invalid.`;
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

/** A picture in another font than its template's is an error. @throws AppError `render_failed` */
function requireFonts({ slug, fonts }: Template, { brokenFonts }: Measurements): void {
  // Faces of bundled fonts are missing only from a remote browser that lacks them.
  const own = brokenFonts.filter((family) => Object.hasOwn(fonts.own, family) && !fonts.own[family]?.bundled);
  if (own.length === 0) return;
  const named = own.map((family) => `"${family}"`).join(" and ");
  const message = `"${slug}" cannot be drawn in ${named}: the browser refuses the font's file. Save it again with another program.`;
  throw new AppError("render_failed", message);
}

type Edits = { base: Variant; data: FieldValues; signal: AbortSignal };

async function readEdits(template: Template, { base, data, signal }: Edits) {
  const remote = requireRenderConfig().images;
  const edited = { declarations: template.fields, values: data, base: base.values, path: "/data", signal, remote };
  const { issues, ...read } = await readFields(edited);
  if (issues.length > 0) throw invalidData(template, issues);
  return read;
}

/** Fills a template. @throws AppError `image_rejected` or `invalid_data` where it shows something too often for its length */
function compose({ template, values, data }: { template: Template; values: FieldValues; data: FieldValues }) {
  try {
    return composeDocument(template, values);
  } catch (error) {
    const tooLong = documentTooLong(error);
    throw tooLong ? invalidData(template, [tooLongIssue(tooLong, { template, values, data })]) : error;
  }
}

/** Logs addresses that a template refers to but may not load. The request is not at fault, so it succeeds. */
function reportBlocked({ slug }: Template, addresses: string[]): void {
  if (addresses.length === 0) return;
  const line = { slug, addresses: addresses.slice(0, LOGGED_ADDRESSES), count: addresses.length };
  log().warn(line, "A template refers to addresses that it may not load.");
}

/** A variant of a template, and the edits of its fields. */
export type WantedPicture = { template: Template; variant: string; data: FieldValues };

export type DrawOptions = RenderOptions & {
  /** Receives the milliseconds by stage. It stays empty for a request that shares a render or gets a kept picture. */
  timings: Record<string, number>;
  /** See {@link RenderJob}. */
  examine?: RenderJob["examine"];
  /** See {@link RenderJob}. */
  effort?: RenderJob["effort"];
};

/** A picture, the values that it shows, and what was measured and examined in its page. */
export type DrawnTemplate = FinishedPicture & { values: FieldValues; measured: Measurements; examined: unknown };

/**
 * Draws a picture without looking into the cache or adding to it.
 * @throws AppError `unknown_variant`, `invalid_data` or `image_rejected` with every fault at once, `render_failed` for a damaged font
 * of the template, or whatever {@link renderPrepared} throws
 */
export async function drawTemplate(
  { template, variant, data }: WantedPicture,
  { timings, examine, effort, ...options }: DrawOptions,
): Promise<DrawnTemplate> {
  const base = requireVariant(template, variant);
  const found: Issue[] = [];
  let edited = base.values;
  let shown = new Set<string>();
  const prepare = async (whileWanted: AbortSignal) => {
    const { values, warnings } = await readEdits(template, { base, data, signal: whileWanted });
    whileWanted.throwIfAborted();
    edited = withStandIns(template, values);
    const toned = await toneImages(template, edited, whileWanted);
    const document = await inThreadTurn(() => compose({ template, values: toned, data }), { signal: whileWanted });
    shown = document.shown;
    const composed = { template, base: base.values, values, given: data, drawn: edited, document };
    const overlong = overlongDrawings(composed);
    if (overlong.length > 0) throw invalidData(template, overlong);
    found.push(...warnings, ...(await documentWarnings(composed, whileWanted)));
    return examine ? { ...document, examine, effort } : document;
  };
  const picture = await renderPrepared(prepare, { ...options, fetches: fetchesImages(template.fields, data) });
  reportBlocked(template, picture.blockedRequests);
  const measured = picture.measured as PageMeasurements;
  requireImages(template, measured);
  requireFonts(template, measured);
  Object.assign(timings, picture.timings);
  const laidOut = { template, base: base.values, values: edited, given: data, measured };
  const overlong = overlongTexts(laidOut);
  if (overlong.length > 0) throw invalidData(template, overlong);
  found.push(...layoutWarnings(laidOut), ...imageWarnings({ ...laidOut, images: measured.images }));
  const contrasts = await judgeContrast(measured.contrast, picture);
  found.push(...contrastWarnings({ template, values: edited, shown, contrasts }));
  const { png, examined } = picture;
  return { png, warnings: inFieldOrder(template, found), values: edited, measured, examined };
}
