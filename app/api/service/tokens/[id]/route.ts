import { revokeToken } from "#lib/access/tokens.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { joinedPath } from "#lib/http/route/path.ts";
import { route } from "#lib/http/route/route.ts";
import { Ok } from "#lib/schemas/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  DELETE: route({
    auth: signedIn,
    returns: Ok,
    handle: async ({ actor, params, caller }) => {
      await revokeToken({ actor, id: joinedPath(params.id), caller: caller() });
      return { status: "ok" as const };
    },
  }),
});
