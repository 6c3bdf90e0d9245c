import { inspector } from "#lib/http/auth.ts";
import { methods } from "#lib/http/methods.ts";
import { reachedBy } from "#lib/http/reached.ts";
import { route } from "#lib/http/route.ts";
import { StatusReport } from "#lib/schemas/status-report.ts";
import { readStatus } from "#lib/status/report.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: inspector, returns: StatusReport, handle: ({ arrival }) => readStatus(reachedBy(arrival)) }),
});
