import { z } from "zod";
import { listTokensOf } from "#lib/access/users.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { joinedPath } from "#lib/http/route/path.ts";
import { route } from "#lib/http/route/route.ts";
import { Token } from "#lib/schemas/token.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({
    auth: signedIn,
    returns: z.array(Token),
    handle: ({ actor, params }) => listTokensOf({ actor, id: joinedPath(params.id) }),
  }),
});
