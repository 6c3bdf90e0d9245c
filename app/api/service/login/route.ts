import { methods } from "#lib/http/route/methods.ts";
import { logIn } from "#lib/operations/sessions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(logIn);
