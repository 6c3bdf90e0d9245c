import { methods } from "#lib/http/route/methods.ts";
import { logOut } from "#lib/operations/sessions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(logOut);
