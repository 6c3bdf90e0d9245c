import { logOut } from "#lib/access/login.ts";
import { sameOrigin } from "#lib/http/identity/auth.ts";
import { clearedCookie } from "#lib/http/identity/cookies.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { Logout } from "#lib/schemas/login.ts";
import { Ok } from "#lib/schemas/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  POST: route({
    auth: sameOrigin,
    body: Logout,
    bodyOptional: true,
    returns: Ok,
    handle: async ({ presented, caller, headers }) => {
      // First: a browser forgets its session even while the database is away.
      headers.append("Set-Cookie", clearedCookie());
      await logOut({ presented, caller: caller() });
      return { status: "ok" as const };
    },
  }),
});
