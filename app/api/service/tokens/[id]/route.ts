import { methods } from "#lib/http/route/methods.ts";
import { revokeToken } from "#lib/operations/tokens.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(revokeToken);
