import { readAuditTrail } from "#lib/access/audit-trail.ts";
import { administrator } from "#lib/http/identity/auth.ts";
import { accessMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { AuditPage, AuditQuery } from "#lib/schemas/audit.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = accessMethods({
  GET: route({
    auth: administrator,
    query: AuditQuery,
    returns: AuditPage,
    handle: ({ query }) => readAuditTrail(query),
  }),
});
