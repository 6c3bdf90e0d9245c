import { z } from "zod";
import { viewer } from "#lib/http/identity/auth.ts";
import { openApiDocument } from "#lib/http/openapi/openapi.ts";
import { methods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: viewer, returns: z.record(z.string(), z.unknown()), handle: () => openApiDocument() }),
});
