import { addressGroup } from "#lib/access/address-group.ts";
import { noteTokenUse } from "#lib/access/tokens.ts";
import { recordRender } from "#lib/access/usage.ts";
import { RENDER_BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { renderer } from "#lib/http/identity/auth.ts";
import { pngResponse } from "#lib/http/response/png-response.ts";
import { methods } from "#lib/http/route/methods.ts";
import { STRICT_APPLIED } from "#lib/http/route/prefer.ts";
import { route } from "#lib/http/route/route.ts";
import { offerFastPath } from "#lib/http/server/fast-path.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { RenderRequest } from "#lib/schemas/render.ts";

/** What scripts ask for again and again, and so the one path that is worth a way of its own. */
const PATH = "/api/service/images/render";

const handlers = methods({
  POST: route({
    auth: renderer,
    body: RenderRequest,
    bodyLimitBytes: RENDER_BODY_LIMIT_BYTES,
    handle: async ({ actor, body, caller: callerOf, isStrict, tell, headers, signal }) => {
      // Whoever asks takes turns with the others: all tokens of a user as one, and without users an address.
      const caller = actor.kind === "anonymous" ? addressGroup(callerOf().address) : actor.user.id;
      if (isStrict) headers.set(STRICT_APPLIED.name, STRICT_APPLIED.value);
      const rendered = await renderTemplate(body, { signal, caller, isStrict, tell });
      recordRender({ actor, template: rendered.slug });
      if (actor.kind === "token") await noteTokenUse(actor);
      return pngResponse(rendered);
    },
  }),
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = offerFastPath(PATH, handlers);
