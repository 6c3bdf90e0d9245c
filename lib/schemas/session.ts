import { z } from "zod";
import { id, moment } from "#lib/schemas/scalars.ts";

/** One signed-in browser, as its user sees it. The hash of its secret is no part of it. */
export const Session = z.object({
  id,
  createdAt: moment,
  lastSeenAt: moment.describe("May be a minute behind"),
  expiresAt: moment,
  address: z.string().nullable().describe("Where the login came from; null where that is not known"),
  userAgent: z.string().nullable().describe("What the browser called itself at the login, cut to 200 characters"),
  device: z.string().describe("The same for people, such as `Firefox on Linux`"),
  current: z.boolean().describe("Whether this very request came with it"),
});
