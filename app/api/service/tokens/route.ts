import { z } from "zod";
import { createToken, listTokens } from "#lib/access/tokens.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { CreatedToken, CreateToken, Token } from "#lib/schemas/token.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({ auth: signedIn, returns: z.array(Token), handle: ({ actor }) => listTokens(actor.user.id) }),
  POST: route({
    auth: signedIn,
    body: CreateToken,
    returns: CreatedToken,
    status: 201,
    handle: ({ actor, body, caller }) => createToken({ actor, name: body.name, caller: caller() }),
  }),
});
