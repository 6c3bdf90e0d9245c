import { z } from "zod";
import { findUsers } from "#lib/access/user-directory.ts";
import { createUser } from "#lib/access/users.ts";
import { administrator } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import { route } from "#lib/http/route/route.ts";
import { CreateUser, User, UsersQuery } from "#lib/schemas/user.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({
    auth: administrator,
    query: UsersQuery,
    returns: z.array(User),
    handle: async ({ query, headers }) => {
      const { users, total } = await findUsers(query);
      headers.set(TOTAL_HEADER, String(total));
      return users;
    },
  }),
  POST: route({
    auth: administrator,
    body: CreateUser,
    returns: User,
    status: 201,
    handle: ({ actor, body, caller, signal }) => createUser({ actor, user: body, caller: caller(), signal }),
  }),
});
