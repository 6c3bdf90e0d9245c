import { buildFonts } from "#lib/fonts/build.ts";
import { getRegistry } from "#lib/templates/registry.ts";

/** Prepares fonts, and reads the templates that the global setup compiled. @returns the slug of a shipped template */
export async function prepareTemplates(): Promise<string> {
  buildFonts();
  const { templates } = await getRegistry();
  const [first] = templates;
  if (first === undefined) throw new Error("Got no template, want those that are shipped.");
  return first.slug;
}
