import { accessLayerMissing, anyone } from "#lib/access/policy.ts";
import { accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { methods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
import { checkRendering } from "#lib/render/render.ts";
import { Health } from "#lib/schemas/health.ts";
import { getRegistry } from "#lib/templates/registry.ts";

/** A picture was drawn recently, and there is a template to draw the next one from. */
async function requireReadiness() {
  if (accessEnabled()) throw accessLayerMissing();
  const rendering = await checkRendering();
  if (!rendering.ok) throw new AppError("unavailable", rendering.message);
  const { templates } = await getRegistry();
  if (templates.length === 0) throw new AppError("unavailable", "There is no template that can be rendered.");
  return { status: "ok" as const };
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: anyone, returns: Health, handle: requireReadiness }),
});
