import { anyone } from "#lib/access/policy.ts";
import { methods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
import { Health } from "#lib/schemas/health.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: anyone, returns: Health, handle: () => ({ status: "ok" as const }) }),
});
