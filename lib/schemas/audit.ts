import { z } from "zod";
import { wholeNumber } from "#lib/schemas/query.ts";
import { id, moment } from "#lib/schemas/scalars.ts";

/** Everything that is written down when it happens. */
export const ACTS = [
  "login",
  "login.failed",
  "logout",
  "session.ended",
  "sessions.ended",
  "account.updated",
  "password.changed",
  "password.failed",
  "password.set",
  "user.created",
  "user.updated",
  "user.deleted",
  "token.created",
  "token.revoked",
  "admin.bootstrapped",
] as const;

const ENTRIES_PER_PAGE_MAX = 200;

/** The query of `GET /audit`. */
export const AuditQuery = z.strictObject({
  before: id.describe("What `next` of another page says: its entries are older than that").optional(),
  after: id.describe("The id of an entry: only what is newer, and of that what is nearest to it").optional(),
  limit: wholeNumber({ min: 1, max: ENTRIES_PER_PAGE_MAX }).describe("50 when absent").optional(),
  action: z.enum(ACTS).optional(),
  user: id.describe("The id of a user, there still or not: what they did, and what was done to them").optional(),
});

const AuditActor = z.object({
  kind: z.enum(["user", "operator"]).describe("The operator is whoever runs commands on the machine itself"),
  id: id.nullable().describe("Of the user, who may be gone since; null for the operator"),
  email: z.string().nullable().describe("As it was then; null for the operator"),
});

const AuditSubject = z.object({
  type: z.enum(["user", "token", "session"]),
  id: id.nullable(),
  name: z.string().nullable().describe("As it was then: of a user the email, of a session the device"),
});

const AuditEntry = z.object({
  id,
  at: moment,
  action: z.string(),
  actor: AuditActor.nullable().describe("Null where nobody was signed in"),
  subject: AuditSubject.nullable(),
  address: z.string().nullable(),
  detail: z.record(z.string(), z.string()).nullable().describe("What the act has set, by name; never a secret"),
  requestId: z.string().nullable().describe("Finds the request in the log"),
});

/** A part of the audit trail, the newest first. */
export const AuditPage = z.object({
  entries: z.array(AuditEntry),
  next: id.nullable().describe("The `before` of the page after this one; null where there is none"),
});
