import { methods } from "#lib/http/route/methods.ts";
import { listTokenUsage } from "#lib/operations/tokens.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(listTokenUsage);
