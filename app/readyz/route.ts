import { accessConfig, accessEnabled } from "#lib/config.ts";
import { checkDatabase } from "#lib/db/database.ts";
import { AppError } from "#lib/errors.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { methods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { checkRendering } from "#lib/render/render.ts";
import { Ok } from "#lib/schemas/status.ts";
import { getRegistry } from "#lib/templates/registry.ts";

/** Whoever asks can be known, where they have to be: the configuration says by what, and the database answers. */
async function requireAccess(): Promise<void> {
  if (!accessEnabled()) return;
  accessConfig();
  await checkDatabase();
}

/** A picture was drawn recently, and there is a template to draw the next one from. */
async function requireReadiness() {
  await requireAccess();
  const rendering = await checkRendering();
  if (!rendering.ok) throw new AppError("unavailable", rendering.message);
  const { templates } = await getRegistry();
  if (templates.length === 0) throw new AppError("unavailable", "There is no template that can be rendered.");
  return { status: "ok" as const };
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: anyone, returns: Ok, handle: requireReadiness }),
});
