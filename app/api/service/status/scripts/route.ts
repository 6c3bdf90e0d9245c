import { inspector } from "#lib/http/identity/auth.ts";
import { cacheableImageResponse, notModifiedResponse } from "#lib/http/response/conditional-response.ts";
import { methods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { scriptSheet } from "#lib/render/script-sheet.ts";
import { ScriptsQuery } from "#lib/schemas/status-report.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: inspector,
    query: ScriptsQuery,
    handle: async ({ query, matchesEtag, signal }) => {
      const { etag, picture } = await scriptSheet(query.theme);
      if (matchesEtag(etag)) return notModifiedResponse(etag);
      return cacheableImageResponse({ bytes: await picture(signal), contentType: "image/png", etag });
    },
  }),
});
