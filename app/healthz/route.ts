import { anyone } from "#lib/http/identity/auth.ts";
import { methods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { Ok } from "#lib/schemas/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: anyone, returns: Ok, handle: () => ({ status: "ok" as const }) }),
});
