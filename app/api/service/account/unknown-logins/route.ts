import { methods } from "#lib/http/route/methods.ts";
import { confirmAllLogins, listUnknownLogins } from "#lib/operations/account.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(listUnknownLogins, confirmAllLogins);
