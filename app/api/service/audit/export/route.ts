import { methods } from "#lib/http/route/methods.ts";
import { exportAuditTrail } from "#lib/operations/audit.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(exportAuditTrail);
