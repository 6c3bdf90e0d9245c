import { methods } from "#lib/http/route/methods.ts";
import { deleteUser, getUser, updateUser } from "#lib/operations/users.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getUser, updateUser, deleteUser);
