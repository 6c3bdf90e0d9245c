import { z } from "zod";
import { anyone } from "#lib/http/identity/auth.ts";
import { route } from "#lib/http/route/route.ts";

/** A body with a field that must be there, one with a bound and one with parts. */
export const Greeting = z.strictObject({
  name: z.string().min(1),
  times: z.int().max(9).optional(),
  tags: z.array(z.string()).optional(),
});

/** Greets whoever a body names, and knows more than it may tell. */
export const greet = route({
  auth: anyone,
  body: Greeting,
  returns: z.object({ hello: z.string() }),
  status: 201,
  handle: ({ body }) => ({ hello: body.name, secret: "hash" }),
});
