import { updateAccount } from "#lib/access/account.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { UpdateAccount } from "#lib/schemas/account.ts";
import { User } from "#lib/schemas/user.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({ auth: signedIn, returns: User, handle: ({ actor }) => actor.user }),
  PATCH: route({
    auth: signedIn,
    body: UpdateAccount,
    returns: User,
    handle: ({ actor, body, caller }) => updateAccount({ actor, changes: body, caller: caller() }),
  }),
});
