import { logIn } from "#lib/access/login.ts";
import { sameOrigin } from "#lib/http/identity/auth.ts";
import { sessionCookie } from "#lib/http/identity/cookies.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { Login } from "#lib/schemas/login.ts";
import { User } from "#lib/schemas/user.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  POST: route({
    auth: sameOrigin,
    body: Login,
    returns: User,
    handle: async ({ body, presented, caller, signal, headers }) => {
      const { user, secret } = await logIn({ ...body, presented, caller: caller(), signal });
      headers.append("Set-Cookie", sessionCookie(secret));
      return user;
    },
  }),
});
