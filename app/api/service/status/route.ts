import { inspector } from "#lib/http/identity/auth.ts";
import { entryPointOf } from "#lib/http/identity/entry-point.ts";
import { methods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { StatusReport } from "#lib/schemas/status-report.ts";
import { readStatus } from "#lib/status/report.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: inspector, returns: StatusReport, handle: ({ received }) => readStatus(entryPointOf(received)) }),
});
