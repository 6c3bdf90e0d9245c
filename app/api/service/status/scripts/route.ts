import { inspector } from "#lib/http/auth.ts";
import { keptImageResponse, notModifiedResponse } from "#lib/http/kept-image.ts";
import { methods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
import { scriptSheet } from "#lib/render/script-sheet.ts";
import { ScriptsQuery } from "#lib/schemas/status-report.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: inspector,
    query: ScriptsQuery,
    handle: async ({ query, hasAlready, signal }) => {
      const { etag, picture } = await scriptSheet(query.theme);
      if (hasAlready(etag)) return notModifiedResponse(etag);
      return keptImageResponse({ bytes: await picture(signal), contentType: "image/png", etag });
    },
  }),
});
