import { z } from "zod";
import { findUsers } from "#lib/access/user-directory.ts";
import * as access from "#lib/access/users.ts";
import { administrator } from "#lib/http/identity/auth.ts";
import { operation } from "#lib/http/route/operation.ts";
import { TOTAL_HEADER } from "#lib/http/route/query.ts";
import { CreateUser, SetPassword, UpdateUser, User, UsersQuery } from "#lib/schemas/user.ts";
import { OK, Ok } from "./ok.ts";
import { PATHS } from "./paths.ts";
import { USERS } from "./tags.ts";

export const listUsers = operation({
  method: "GET",
  path: PATHS.users,
  operationId: "listUsers",
  summary: "List the users, all of them or a page",
  tag: USERS,
  auth: administrator,
  query: UsersQuery,
  returns: z.array(User),
  isWholeList: ({ page, limit }) => page === undefined && limit === undefined,
  headers: {
    [TOTAL_HEADER]: { description: "The number of users on all pages.", schema: { type: "integer", minimum: 0 } },
  },
  handle: async ({ query, headers }) => {
    const { users, total } = await findUsers(query);
    headers.set(TOTAL_HEADER, String(total));
    return users;
  },
});

export const createUser = operation({
  method: "POST",
  path: PATHS.users,
  operationId: "createUser",
  summary: "Create a user",
  tag: USERS,
  auth: administrator,
  body: CreateUser,
  returns: User,
  status: 201,
  errors: ["email_taken", "overloaded"],
  handle: ({ actor, body, caller, signal }) => access.createUser({ actor, user: body, caller: caller(), signal }),
});

export const getUser = operation({
  method: "GET",
  path: PATHS.user,
  operationId: "getUser",
  summary: "Get a user",
  tag: USERS,
  auth: administrator,
  returns: User,
  errors: ["not_found"],
  handle: ({ params }) => access.getUser(params.id),
});

export const updateUser = operation({
  method: "PATCH",
  path: PATHS.user,
  operationId: "updateUser",
  summary: "Change a user; deactivation ends all of their sessions",
  tag: USERS,
  auth: administrator,
  body: UpdateUser,
  returns: User,
  errors: ["not_found", "email_taken", "last_admin"],
  handle: ({ actor, body, params, caller }) =>
    access.updateUser({ actor, id: params.id, changes: body, caller: caller() }),
});

export const deleteUser = operation({
  method: "DELETE",
  path: PATHS.user,
  operationId: "deleteUser",
  summary: "Delete a user with their sessions and tokens",
  tag: USERS,
  auth: administrator,
  returns: Ok,
  errors: ["not_found", "last_admin"],
  handle: async ({ actor, params, caller }) => {
    await access.deleteUser({ actor, id: params.id, caller: caller() });
    return OK;
  },
});

export const setPassword = operation({
  method: "POST",
  path: PATHS.userPassword,
  operationId: "setPassword",
  summary: "Set a user's password, which ends all of their sessions",
  tag: USERS,
  auth: administrator,
  body: SetPassword,
  returns: Ok,
  errors: ["not_found", "overloaded"],
  handle: async ({ actor, body, params, caller, signal }) => {
    await access.setPassword({ actor, id: params.id, password: body.password, caller: caller(), signal });
    return OK;
  },
});
