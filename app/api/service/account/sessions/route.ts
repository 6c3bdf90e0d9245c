import { methods } from "#lib/http/route/methods.ts";
import { endOtherSessions, listSessions } from "#lib/operations/account.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(listSessions, endOtherSessions);
