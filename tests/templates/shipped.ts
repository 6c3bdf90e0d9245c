import { buildFonts } from "#lib/fonts/build.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";

/** Prepares fonts and templates. @returns the slug of a shipped template */
export async function prepareTemplates(): Promise<string> {
  buildFonts();
  const { templates } = await buildRegistry();
  const [first] = templates;
  if (first === undefined) throw new Error("Got no template, want those that are shipped.");
  return first.slug;
}
