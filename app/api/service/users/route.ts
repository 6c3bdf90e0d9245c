import { z } from "zod";
import { createUser, listUsers } from "#lib/access/users.ts";
import { administrator } from "#lib/http/auth.ts";
import { accessMethods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
import { CreateUser, User } from "#lib/schemas/user.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({ auth: administrator, returns: z.array(User), handle: () => listUsers() }),
  POST: route({
    auth: administrator,
    body: CreateUser,
    returns: User,
    status: 201,
    handle: ({ actor, body, caller, signal }) => createUser({ actor, user: body, caller: caller(), signal }),
  }),
});
