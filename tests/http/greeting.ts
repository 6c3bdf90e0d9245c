import { z } from "zod";
import { anyone } from "#lib/http/identity/auth.ts";
import { route } from "#lib/http/route/route.ts";

/** A body with a required field, a bounded one and a list. */
export const Greeting = z.strictObject({
  name: z.string().min(1),
  times: z.int().max(9).optional(),
  tags: z.array(z.string()).optional(),
});

/** Greets the name in the body. It returns a field that the response must not contain. */
export const greet = route({
  auth: anyone,
  body: Greeting,
  returns: z.object({ hello: z.string() }),
  status: 201,
  handle: ({ body }) => ({ hello: body.name, secret: "hash" }),
});
