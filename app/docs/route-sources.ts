import { accessEnabled } from "#lib/config.ts";
import { describeService } from "#lib/operations/all.ts";
import { listTemplates } from "#lib/templates/catalog.ts";
import { serviceOrigin } from "../ui/page/service-origin.ts";
import type { OpenApi, Sources } from "./sources.ts";

/** The configuration of this service, the same for every reader. */
export function ownSources(): Pick<Sources, "origin" | "linkOrigin" | "isGuarded"> {
  const { configured, fallback } = serviceOrigin();
  return { origin: configured ?? fallback, linkOrigin: configured ?? "", isGuarded: accessEnabled() };
}

/** The sources of a route. The route must have authorised the reader. */
export function routeSources(): Sources {
  return {
    ...ownSources(),
    templates: listTemplates,
    document: () => describeService() as Promise<Record<string, unknown>> as Promise<OpenApi>,
  };
}
