import { deleteUser, getUser, updateUser } from "#lib/access/users.ts";
import { administrator } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { joinedPath } from "#lib/http/route/path.ts";
import { route } from "#lib/http/route/route.ts";
import { Ok } from "#lib/schemas/status.ts";
import { UpdateUser, User } from "#lib/schemas/user.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({ auth: administrator, returns: User, handle: ({ params }) => getUser(joinedPath(params.id)) }),
  PATCH: route({
    auth: administrator,
    body: UpdateUser,
    returns: User,
    handle: ({ actor, body, params, caller }) =>
      updateUser({ actor, id: joinedPath(params.id), changes: body, caller: caller() }),
  }),
  DELETE: route({
    auth: administrator,
    returns: Ok,
    handle: async ({ actor, params, caller }) => {
      await deleteUser({ actor, id: joinedPath(params.id), caller: caller() });
      return { status: "ok" as const };
    },
  }),
});
