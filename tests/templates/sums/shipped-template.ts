import { PROJECT_DIR } from "#lib/config.ts";
import { loadTemplate } from "#lib/templates/load-template.ts";
import type { Template } from "#lib/templates/template.ts";

/** Loads one of the templates that Platen ships. */
export async function shippedTemplate(slug: string): Promise<Template> {
  const root = `${PROJECT_DIR}/templates`;
  const loaded = await loadTemplate({ root, folder: `${root}/${slug}`, slug, brand: undefined });
  if ("faults" in loaded) throw new Error(JSON.stringify(loaded.faults));
  return loaded.template;
}
