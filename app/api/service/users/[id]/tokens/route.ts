import { methods } from "#lib/http/route/methods.ts";
import { listTokensOf } from "#lib/operations/tokens.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(listTokensOf);
