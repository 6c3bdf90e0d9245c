import { setPassword } from "#lib/access/users.ts";
import { administrator } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { joinedPath } from "#lib/http/route/path.ts";
import { route } from "#lib/http/route/route.ts";
import { Ok } from "#lib/schemas/status.ts";
import { SetPassword } from "#lib/schemas/user.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  POST: route({
    auth: administrator,
    body: SetPassword,
    returns: Ok,
    handle: async ({ actor, body, params, caller, signal }) => {
      await setPassword({ actor, id: joinedPath(params.id), password: body.password, caller: caller(), signal });
      return { status: "ok" as const };
    },
  }),
});
