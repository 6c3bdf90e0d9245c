import { z } from "zod";
import { listTokenUsageOf } from "#lib/access/users.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { joinedPath } from "#lib/http/route/path.ts";
import { route } from "#lib/http/route/route.ts";
import { TokenUsage } from "#lib/schemas/usage.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({
    auth: signedIn,
    returns: z.array(TokenUsage),
    handle: ({ actor, params }) => listTokenUsageOf({ actor, id: joinedPath(params.id) }),
  }),
});
