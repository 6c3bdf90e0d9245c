import { z } from "zod";
import { viewer } from "#lib/http/auth.ts";
import { methods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { listTemplates } from "#lib/templates/catalog.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: viewer, returns: z.array(TemplateSummary), handle: () => listTemplates() }),
});
