import { openApiDocument } from "#lib/http/openapi/openapi.ts";
import { listTemplates } from "#lib/templates/catalog.ts";
import { ownSources } from "./own-sources.ts";
import type { OpenApi, Sources } from "./sources.ts";

/** What a route writes documentation from, for whoever was let in. */
export function routeSources(): Sources {
  return {
    ...ownSources(),
    templates: listTemplates,
    document: () => openApiDocument() as Promise<Record<string, unknown>> as Promise<OpenApi>,
  };
}
