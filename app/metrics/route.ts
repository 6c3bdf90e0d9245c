import { methods } from "#lib/http/route/methods.ts";
import { getMetrics } from "#lib/operations/probes.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getMetrics);
