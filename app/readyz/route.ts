import { methods } from "#lib/http/route/methods.ts";
import { getReadiness } from "#lib/operations/probes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getReadiness);
