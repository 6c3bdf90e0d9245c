import { z } from "zod";
import { viewer } from "#lib/http/auth.ts";
import { methods } from "#lib/http/methods.ts";
import { openApiDocument } from "#lib/http/openapi.ts";
import { route } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: viewer, returns: z.record(z.string(), z.unknown()), handle: () => openApiDocument() }),
});
