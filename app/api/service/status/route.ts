import { methods } from "#lib/http/route/methods.ts";
import { getStatus } from "#lib/operations/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getStatus);
