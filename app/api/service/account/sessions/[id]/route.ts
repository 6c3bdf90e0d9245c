import { endOwnSession } from "#lib/access/own-sessions.ts";
import { signedIn } from "#lib/http/auth.ts";
import { clearedCookie } from "#lib/http/cookies.ts";
import { accessMethods } from "#lib/http/methods.ts";
import { joinedPath } from "#lib/http/path.ts";
import { route } from "#lib/http/route.ts";
import { Ok } from "#lib/schemas/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  DELETE: route({
    auth: signedIn,
    returns: Ok,
    handle: async ({ actor, params, caller, headers }) => {
      const isOwn = await endOwnSession({ actor, id: joinedPath(params.id), caller: caller() });
      if (isOwn) headers.append("Set-Cookie", clearedCookie());
      return { status: "ok" as const };
    },
  }),
});
