import { openApiDocument } from "#lib/http/openapi/openapi.ts";
import { listTemplates } from "#lib/templates/catalog.ts";
import type { OpenApi, Sources } from "../../../app/docs/sources.ts";

/** What the documentation of a service is written from, in this process. */
export function sourcesOf({ isGuarded }: { isGuarded: boolean }): Sources {
  return {
    origin: "http://localhost:3000",
    linkOrigin: "",
    isGuarded,
    templates: listTemplates,
    document: () => openApiDocument() as Promise<Record<string, unknown>> as Promise<OpenApi>,
  };
}
