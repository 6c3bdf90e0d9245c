import { methods } from "#lib/http/route/methods.ts";
import { disownLogin } from "#lib/operations/account.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(disownLogin);
