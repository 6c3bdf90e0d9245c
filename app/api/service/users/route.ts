import { methods } from "#lib/http/route/methods.ts";
import { createUser, listUsers } from "#lib/operations/users.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(listUsers, createUser);
