import { AppError, type ErrorCode } from "#lib/errors.ts";
import { type RenderedTemplate, renderTemplate, type TemplateOptions } from "#lib/render/render-template.ts";
import type { LinkPayload } from "#lib/schemas/link.ts";

/** What the fallback stands in for: edits that cannot be drawn. Not overload, which passes. */
const REPLACED: readonly ErrorCode[] = ["unknown_variant", "invalid_data", "image_rejected", "render_failed"];

type LinkOptions = Omit<TemplateOptions, "tell" | "sharedAs"> & {
  tell: (facts: Record<string, string | number>) => void;
};

/**
 * Draws what a link names. Where the edits cannot be drawn, it draws the fallback with that variant's own content.
 * @throws as {@link renderTemplate}
 */
export async function drawLink(
  link: LinkPayload,
  options: LinkOptions,
): Promise<RenderedTemplate & { isFallback: boolean }> {
  const { template, variant, data, fallback } = link;
  try {
    // A person with one link can ask for its picture many times at once.
    const sharedAs = JSON.stringify({ template, variant, data });
    return { ...(await renderTemplate({ template, variant, data }, { ...options, sharedAs })), isFallback: false };
  } catch (error) {
    if (fallback === undefined || !(error instanceof AppError) || !REPLACED.includes(error.code)) throw error;
    options.tell({ replaced: error.code });
    return { ...(await renderTemplate({ template, variant: fallback }, options)), isFallback: true };
  }
}
