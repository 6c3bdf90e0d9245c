import { methods } from "#lib/http/route/methods.ts";
import { confirmLogin } from "#lib/operations/account.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(confirmLogin);
