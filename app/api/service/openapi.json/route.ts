import { methods } from "#lib/http/route/methods.ts";
import { getOpenApi } from "#lib/operations/openapi.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getOpenApi);
