import { z } from "zod";
import { endOtherSessions, listOwnSessions } from "#lib/access/own-sessions.ts";
import { signedIn } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { Session } from "#lib/schemas/session.ts";
import { Ok } from "#lib/schemas/status.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({ auth: signedIn, returns: z.array(Session), handle: ({ actor }) => listOwnSessions(actor) }),
  DELETE: route({
    auth: signedIn,
    returns: Ok,
    handle: async ({ actor, caller }) => {
      await endOtherSessions({ actor, caller: caller() });
      return { status: "ok" as const };
    },
  }),
});
