import { z } from "zod";
import { id, moment } from "./scalars.ts";

/** A signed-in browser, as its user sees it. It never holds the hash of its secret. */
export const Session = z
  .object({
    id,
    createdAt: moment,
    lastSeenAt: moment.describe("Up to a minute late"),
    expiresAt: moment,
    address: z.string().nullable().describe("The address of the login; null where it is not known"),
    userAgent: z.string().nullable().describe("The browser's `User-Agent` at the login, cut to 200 characters"),
    device: z.string().describe("A name for people, such as `Firefox on Linux`"),
    current: z.boolean().describe("Whether this request was made with it"),
  })
  .meta({ id: "Session" });

/** A login from a browser that the account did not know, as its user sees it. */
export const UnknownLogin = z
  .object({
    id,
    at: moment,
    address: z.string().nullable().describe("Null where it is not known"),
    userAgent: z.string().nullable().describe("The browser's `User-Agent`, cut to 200 characters"),
    device: z.string().describe("A name for people, such as `Firefox on Linux`"),
    signedIn: z.boolean().describe("Whether that browser has a live session"),
    current: z.boolean().describe("Whether it is the browser of this request"),
  })
  .meta({ id: "UnknownLogin" });
