import { renderer } from "#lib/access/policy.ts";
import { RENDER_BODY_LIMIT_BYTES } from "#lib/http/limits.ts";
import { methods } from "#lib/http/methods.ts";
import { pngResponse } from "#lib/http/png-response.ts";
import { route } from "#lib/http/route.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { RenderRequest } from "#lib/schemas/render.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    auth: renderer,
    body: RenderRequest,
    bodyLimitBytes: RENDER_BODY_LIMIT_BYTES,
    handle: async ({ body, signal }) => pngResponse(await renderTemplate(body, signal)),
  }),
});
