import { z } from "zod";
import { viewer } from "#lib/http/identity/auth.ts";
import { methods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { listTemplates } from "#lib/templates/catalog.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: viewer, returns: z.array(TemplateSummary), handle: () => listTemplates() }),
});
