import { methods } from "#lib/http/route/methods.ts";
import { getHealth } from "#lib/operations/health.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getHealth);
