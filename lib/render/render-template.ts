import type { Senders } from "#lib/addresses/senders.ts";
import type { RenderConfig } from "#lib/config.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import {
  type DrawnTemplate,
  type DrawOptions,
  drawTemplate,
  requireVariant,
  type WantedPicture,
} from "./draw-template.ts";
import type { FinishedPicture, Source } from "./picture-cache.ts";
import { keyOf } from "./picture-key.ts";
import type { RenderOptions } from "./queue/render-task.ts";
import { rendering } from "./render.ts";
import { requireRenderConfig } from "./render-config.ts";
import { countFailure, countPicture } from "./render-metrics.ts";
import type { PictureStore } from "./store/picture-store.ts";

/** A picture. Its warnings say where it differs from the request. */
export type RenderedTemplate = FinishedPicture & {
  slug: string;
  /** Changes with everything that the picture was made of; undefined when {@link keyOf} has no key. */
  etag: string | undefined;
  source: Source;
  /** Milliseconds by stage; empty for a picture that was not rendered for this request. */
  timings: Record<string, number>;
};

async function renderNow(wanted: WantedPicture, options: DrawOptions): Promise<FinishedPicture> {
  const { png, warnings } = await drawTemplate(wanted, options);
  return { png, warnings };
}

/**
 * Renders as for a request, and examines the drawn page. The picture is neither cached nor counted.
 * @throws as {@link renderTemplate}
 */
export async function examineTemplate(
  request: RenderRequest,
  options: RenderOptions & Pick<DrawOptions, "examine" | "effort">,
): Promise<DrawnTemplate & { template: Template; variant: string }> {
  const { template, variant } = await findVariant(request.template, request.variant);
  const wanted = { template, variant, data: request.data ?? {} };
  return { ...(await drawTemplate(wanted, { ...options, timings: {} })), template, variant };
}

/**
 * Renders a variant with its own content, for the service's own pages. It is not counted as a request, and is not kept
 * among the pictures for requests.
 * @throws whatever {@link drawTemplate} throws
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

type Configured = RenderOptions & Pick<TemplateOptions, "store" | "sharedAs"> & { config: RenderConfig };

/** Renders a picture that has no key. */
async function renderUnkeyed(
  wanted: WantedPicture,
  { sharedAs: key, ...options }: DrawOptions & Pick<TemplateOptions, "sharedAs">,
): Promise<FinishedPicture & { source: Source }> {
  if (key === undefined) return { ...(await renderNow(wanted, options)), source: "drawn" };
  const { signal, caller = "", sender, timings } = options;
  const render = (whileWanted: AbortSignal, senders: Senders) =>
    renderNow(wanted, { signal: whileWanted, caller, sender, senders, timings });
  return await rendering.get().pictures.share({ key, caller, sender, render, signal });
}

async function renderOnce(
  wanted: WantedPicture,
  { config, store, sharedAs, ...options }: Configured,
): Promise<RenderedTemplate> {
  const { signal, caller = "", sender } = options;
  const { slug } = wanted.template;
  const key = await keyOf(wanted, config);
  const timings: Record<string, number> = {};
  if (!key) {
    const picture = await renderUnkeyed(wanted, { ...options, sharedAs, timings });
    return { slug, ...picture, etag: undefined, timings };
  }
  let isStored = false;
  const render = async (whileWanted: AbortSignal, senders: Senders) => {
    const stored = await store?.read(key, wanted.template);
    isStored = stored !== undefined;
    if (stored) return stored;
    const drawn = await renderNow(wanted, { signal: whileWanted, caller, sender, senders, timings });
    void store?.write(key, drawn);
    return drawn;
  };
  const shared = { key, caller, sender, render, signal };
  const picture = await rendering.get().pictures.get({ ...shared, limitBytes: config.cacheBytes });
  const source = isStored && picture.source === "drawn" ? "store" : picture.source;
  return { slug, ...picture, source, etag: `"${key}"`, timings };
}

/**
 * The entity tag of the picture of a request, without rendering it; undefined when {@link keyOf} has no key. The edits are not
 * checked. @throws AppError `unknown_template`, `unknown_variant` or `misconfigured`
 */
export async function findTag({
  template: slug,
  variant: name,
  data = {},
}: RenderRequest): Promise<string | undefined> {
  const config = requireRenderConfig();
  const key = await keyOf({ ...(await findVariant(slug, name)), data }, config);
  return key && `"${key}"`;
}

/** Facts about a render that may be logged: names of the registry, and numbers. */
type RenderFacts = Record<string, string | number>;

export type TemplateOptions = RenderOptions & {
  /** Refuses a picture with any warning. */
  isStrict?: boolean;
  /** Where pictures are looked for before they are drawn, and stored afterwards. */
  store?: PictureStore | undefined;
  /**
   * Names the request. A picture without a key, such as one with fetched images, is then drawn once for all requests of this name
   * and caller that wait for it.
   */
  sharedAs?: string | undefined;
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
 * whatever {@link drawTemplate} throws
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
