import { PROJECT_DIR } from "#lib/config.ts";
import { renderPicture } from "#lib/render/render.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { layoutWarnings } from "#lib/templates/warnings.ts";
import type { FitOutcome, Measurements } from "#lib/type/fit/measurements.ts";

const LIMIT_MS = 60_000;

const registry = compileRegistry(`${PROJECT_DIR}/templates`);

type Request = { template: string; variant?: string; data?: Record<string, unknown> };

/** Renders a request with a shipped template, and reports how its texts were fitted. */
export async function fitRequest({ template: slug, variant, data = {} }: Request) {
  const template = (await registry).templates.find((known) => known.slug === slug);
  if (!template) throw new Error(`There is no template ${slug}.`);
  const base = template.variants[variant ?? template.defaultVariant]?.values ?? {};
  const edited = { declarations: template.fields, values: data, base, path: "/data" };
  const { values, issues } = await readFields({ ...edited, signal: AbortSignal.timeout(LIMIT_MS) });
  if (issues.length > 0) throw new Error(JSON.stringify(issues));
  const document = composeDocument(template, values);
  const measured = (await renderPicture(document)).measured as Measurements;
  const warnings = layoutWarnings({ template, base, values, measured });
  const fitOf = (field: string): FitOutcome => {
    const fit = measured.fits.find((one) => one.field === field);
    if (!fit) throw new Error(`${slug} shows no ${field}.`);
    return fit;
  };
  return { fitOf, fits: measured.fits, warnings, width: template.width, height: template.height };
}
