import * as audit from "#lib/access/audit-trail.ts";
import { administrator } from "#lib/http/identity/auth.ts";
import { operation } from "#lib/http/route/operation.ts";
import { AuditPage, AuditQuery } from "#lib/schemas/audit.ts";
import { PATHS } from "./paths.ts";
import { MONITORING } from "./tags.ts";

export const readAuditTrail = operation({
  method: "GET",
  path: PATHS.audit,
  operationId: "readAuditTrail",
  summary: "Read the audit trail, newest first, a page at a time",
  tag: MONITORING,
  auth: administrator,
  query: AuditQuery,
  returns: AuditPage,
  handle: ({ query }) => audit.readAuditTrail(query),
});
