import { anyone } from "#lib/access/policy.ts";
import { AppError } from "#lib/errors.ts";
import { methods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
import { checkRendering } from "#lib/render/render.ts";
import { Health } from "#lib/schemas/health.ts";

async function requireRendering() {
  const { ok } = await checkRendering();
  if (!ok) throw new AppError("unavailable", "No picture has been rendered recently: the browser is starting or away.");
  return { status: "ok" as const };
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ auth: anyone, returns: Health, handle: requireRendering }),
});
