import { methods } from "#lib/http/route/methods.ts";
import { getAccount, updateAccount } from "#lib/operations/account.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(getAccount, updateAccount);
