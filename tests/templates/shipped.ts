import { buildFonts } from "#lib/fonts/build.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";

/** Readies what a render needs beside a browser. @returns the slug of a template that can be rendered */
export async function prepareTemplates(): Promise<string> {
  buildFonts();
  const { templates } = await buildRegistry();
  const [first] = templates;
  if (first === undefined) throw new Error("Got no template, want those that are shipped.");
  return first.slug;
}
