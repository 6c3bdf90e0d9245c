import { z } from "zod";
import { dayOrMoment, id, moment, wholeNumber } from "./scalars.ts";

/** Every action that the audit trail records. */
export const ACTS = [
  "login",
  "login.failed",
  "logout",
  "login.confirmed",
  "login.disowned",
  "session.ended",
  "sessions.ended",
  "account.updated",
  "password.changed",
  "password.failed",
  "password.set",
  "user.created",
  "user.updated",
  "user.deleted",
  "user.unlocked",
  "token.created",
  "token.revoked",
  "admin.bootstrapped",
  "audit.exported",
] as const;

const ENTRIES_PER_PAGE_MAX = 200;

const FILTERS = {
  action: z.enum(ACTS).optional(),
  user: id.describe("The id of a user, deleted or not: gives what they did and what was done to them").optional(),
  since: dayOrMoment("start").describe("A date (UTC) or a time: gives the entries from then on").optional(),
  until: dayOrMoment("end")
    .describe("A date (UTC), which is included, or a time: gives the entries before it")
    .optional(),
};

/** The query of `GET /audit`. */
export const AuditQuery = z.strictObject({
  before: id.describe("The `next` of another page: gives the entries older than that page").optional(),
  after: id.describe("The id of an entry: gives the entries newer than it, beginning with the nearest").optional(),
  limit: wholeNumber({ min: 1, max: ENTRIES_PER_PAGE_MAX }).describe("50 when absent").optional(),
  ...FILTERS,
});

export const EXPORT_FORMATS = ["jsonl", "csv"] as const;

/** The query of `GET /audit/export`. */
export const AuditExportQuery = z.strictObject({
  format: z.enum(EXPORT_FORMATS).describe("As the `Accept` header prefers when absent, else `jsonl`").optional(),
  ...FILTERS,
});

const AuditActor = z.object({
  kind: z.enum(["user", "operator"]).describe("The operator runs commands on the machine itself"),
  id: id.nullable().describe("The user's id, which stays after the user is deleted; null for the operator"),
  email: z.string().nullable().describe("The email at that time; null for the operator"),
});

const AuditSubject = z.object({
  type: z.enum(["user", "token", "session"]),
  id: id.nullable(),
  name: z.string().nullable().describe("At that time: a user's email, a token's name, a session's device"),
});

const AuditEntry = z.object({
  id,
  at: moment,
  action: z.string(),
  actor: AuditActor.nullable().describe("Null when nobody was signed in"),
  subject: AuditSubject.nullable(),
  address: z.string().nullable(),
  detail: z.record(z.string(), z.string()).nullable().describe("What the action set, by name; never a secret"),
  requestId: z.string().nullable().describe("Finds the request in the log"),
});

/** A page of the audit trail, newest first. */
export const AuditPage = z
  .object({
    entries: z.array(AuditEntry),
    next: id.nullable().describe("The `before` of the next page; null on the last one"),
  })
  .meta({ id: "AuditPage" });
