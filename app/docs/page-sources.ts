import { z } from "zod";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { GET as getDocument } from "../api/service/openapi.json/route.ts";
import { GET as getTemplates } from "../api/service/templates/route.ts";
import { read } from "../ui/page/read.ts";
import { ownSources } from "./route-sources.ts";
import type { OpenApi, Sources } from "./sources.ts";

/** Not validated further, because the service generates the document itself. */
const Document = z.custom<OpenApi>((value) => typeof value === "object" && value !== null);

/** The sources of a page. They read through the routes, which authorise the reader. */
export function pageSources(): Sources {
  return {
    ...ownSources(),
    templates: () => read(getTemplates, { returns: z.array(TemplateSummary) }),
    document: () => read(getDocument, { returns: Document }),
  };
}
