import { templateFolders } from "#lib/config.ts";
import { SHIPPED } from "#lib/environment/kinds.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";
import { getRegistry, tellFaultsAlone } from "#lib/templates/registry.ts";
import type { Registry } from "#lib/templates/template.ts";
import { isBuilt, isStandalone, sourceStamp } from "./build/build-stamp.ts";
import { loadEnvironment } from "./environment.ts";

/** Prepares the templates, even in a clone that was never built. @returns those that are served, and the faults of others */
export async function prepareTemplates(): Promise<Registry> {
  loadEnvironment("production");
  if (templateFolders().includes(SHIPPED) && !isBuilt(sourceStamp())) await buildRegistry();
  tellFaultsAlone();
  return await getRegistry();
}

/** Prepares fonts and templates. @returns as {@link prepareTemplates} */
export async function prepareRendering(): Promise<Registry> {
  loadEnvironment("production");
  // A standalone folder has the fonts, and not the packages that they come from.
  if (!isStandalone()) buildFonts();
  return await prepareTemplates();
}
