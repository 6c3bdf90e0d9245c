import { z } from "zod";
import { listTokenUsage } from "#lib/access/token-usage.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { TokenUsage } from "#lib/schemas/usage.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({ auth: signedIn, returns: z.array(TokenUsage), handle: ({ actor }) => listTokenUsage(actor.user.id) }),
});
