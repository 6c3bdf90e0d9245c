import { describeService } from "#lib/operations/all.ts";
import { listTemplates } from "#lib/templates/catalog.ts";
import type { OpenApi, Sources } from "../../../app/docs/sources.ts";

/** The sources of the documentation, in this process. */
export function sourcesOf({ isGuarded }: { isGuarded: boolean }): Sources {
  return {
    origin: "http://localhost:3000",
    linkOrigin: "",
    isGuarded,
    templates: listTemplates,
    document: () => describeService() as Promise<Record<string, unknown>> as Promise<OpenApi>,
  };
}
