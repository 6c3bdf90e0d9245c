import { z } from "zod";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { GET as getDocument } from "../api/service/openapi.json/route.ts";
import { GET as getTemplates } from "../api/service/templates/route.ts";
import { read } from "../ui/page/read.ts";
import { ownSources } from "./own-sources.ts";
import type { OpenApi, Sources } from "./sources.ts";

/** Our own document: its shape is known. */
const Document = z.custom<OpenApi>((value) => typeof value === "object" && value !== null);

/** What a page writes documentation from, as its reader may see it. */
export function pageSources(): Sources {
  return {
    ...ownSources(),
    templates: () => read(getTemplates, { returns: z.array(TemplateSummary) }),
    document: () => read(getDocument, { returns: Document }),
  };
}
