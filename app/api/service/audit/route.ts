import { methods } from "#lib/http/route/methods.ts";
import { readAuditTrail } from "#lib/operations/audit.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(readAuditTrail);
