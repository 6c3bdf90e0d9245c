import { hasAccessBegun } from "#lib/access/start.ts";
import { accessConfig, accessEnabled, metricsEnabled } from "#lib/config.ts";
import { checkDatabaseSoon } from "#lib/db/check-database.ts";
import { AppError } from "#lib/errors.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { operation } from "#lib/http/route/operation.ts";
import { metricsResponse } from "#lib/http/server/request-metrics.ts";
import { isDraining } from "#lib/life-cycle.ts";
import { checkRenderingSoon } from "#lib/render/render.ts";
import { stopping } from "#lib/render/render-faults.ts";
import { registryWithin } from "#lib/templates/registry.ts";
import { OK, Ok } from "./ok.ts";
import { PATHS } from "./paths.ts";

/** How long `/readyz` waits for templates that are still being read, in milliseconds. It has half a second in all. */
const TEMPLATES_ANSWER_MS = 100;

/** @throws ConfigError, and AppError `unavailable` while the database does not answer or nobody can sign in yet */
async function requireAccess(): Promise<void> {
  if (!accessEnabled()) return;
  accessConfig();
  await checkDatabaseSoon();
  if (!hasAccessBegun()) throw new AppError("unavailable", "The first administrator is not created yet.");
}

export const getReadiness = operation({
  method: "GET",
  path: PATHS.readiness,
  operationId: "getReadiness",
  summary: "Check that the database answers, a picture can be rendered and a template exists",
  tag: null,
  hostCheck: "never",
  auth: anyone,
  returns: Ok,
  errors: ["unavailable"],
  handle: async () => {
    if (isDraining()) throw stopping();
    await requireAccess();
    const rendering = await checkRenderingSoon();
    if (!rendering.ok) throw new AppError("unavailable", rendering.message);
    const { templates } = await registryWithin(TEMPLATES_ANSWER_MS);
    if (templates.length === 0) throw new AppError("unavailable", "There is no template that can be rendered.");
    return OK;
  },
});

export const getMetrics = operation({
  method: "GET",
  path: PATHS.metrics,
  operationId: "getMetrics",
  summary: "Read all metrics of the process in the Prometheus format",
  tag: null,
  hostCheck: "always",
  auth: anyone,
  contentType: "text/plain",
  isServed: metricsEnabled,
  handle: metricsResponse,
});
