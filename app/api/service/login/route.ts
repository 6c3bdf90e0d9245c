import { methods } from "#lib/http/route/methods.ts";
import { offerFastPath } from "#lib/http/server/fast-path.ts";
import { logIn } from "#lib/operations/sessions.ts";

const handlers = methods(logIn);

/** A flood of logins costs others less time when it bypasses Next. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = offerFastPath(logIn.path, handlers);
