import { methods } from "#lib/http/route/methods.ts";
import { setPassword } from "#lib/operations/users.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(setPassword);
