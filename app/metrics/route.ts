import { anyone } from "#lib/http/identity/auth.ts";
import { metricsMethods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { metricsResponse } from "#lib/http/server/request-metrics.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = metricsMethods({
  GET: route({ auth: anyone, handle: metricsResponse }),
});
