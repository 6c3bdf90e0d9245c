import { changePassword } from "#lib/access/account.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { sessionCookie } from "#lib/http/identity/cookies.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { ChangePassword } from "#lib/schemas/account.ts";
import { Ok } from "#lib/schemas/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  POST: route({
    auth: signedIn,
    body: ChangePassword,
    returns: Ok,
    handle: async ({ actor, body, caller, signal, headers }) => {
      const { secret } = await changePassword({ actor, ...body, caller: caller(), signal });
      headers.append("Set-Cookie", sessionCookie(secret));
      return { status: "ok" as const };
    },
  }),
});
