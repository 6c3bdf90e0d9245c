import { anyone } from "#lib/http/auth.ts";
import { metricsMethods } from "#lib/http/methods.ts";
import { metricsResponse } from "#lib/http/metrics.ts";
import { route } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = metricsMethods({
  GET: route({ auth: anyone, handle: metricsResponse }),
});
