import { changePassword } from "#lib/access/account.ts";
import { signedIn } from "#lib/http/auth.ts";
import { sessionCookie } from "#lib/http/cookies.ts";
import { accessMethods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
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
