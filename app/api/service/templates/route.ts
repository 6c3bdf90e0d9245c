import { methods } from "#lib/http/route/methods.ts";
import { listTemplates } from "#lib/operations/templates.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(listTemplates);
