import { accessEnabled } from "#lib/config.ts";
import type { Arrival } from "#lib/http/exchange.ts";
import { openApiDocument } from "#lib/http/openapi.ts";
import { reachedBy } from "#lib/http/reached.ts";
import { listTemplates } from "#lib/templates/catalog.ts";
import type { OpenApi, Sources } from "./sources.ts";

/** What a route writes documentation from, for whoever was let in. */
export function routeSources(arrival: Arrival): Sources {
  const { at } = reachedBy(arrival);
  return {
    origin: "origin" in at ? at.origin : `http://${arrival.headers.get("host") ?? "localhost"}`,
    isGuarded: accessEnabled(),
    templates: listTemplates,
    document: () => openApiDocument() as Promise<Record<string, unknown>> as Promise<OpenApi>,
  };
}
