import { viewer } from "#lib/http/identity/auth.ts";
import { cacheableImageResponse, notModifiedResponse } from "#lib/http/response/conditional-response.ts";
import { methods } from "#lib/http/route/methods.ts";
import { joinedPath } from "#lib/http/route/path.ts";
import { route } from "#lib/http/route/route.ts";
import { findThumbnail } from "#lib/render/thumbnail.ts";
import { ThumbnailQuery } from "#lib/schemas/thumbnail.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: viewer,
    query: ThumbnailQuery,
    handle: async ({ params, query, matchesEtag, signal }) => {
      const { etag, picture } = await findThumbnail({ slug: joinedPath(params.slug), ...query });
      if (matchesEtag(etag)) return notModifiedResponse(etag);
      return cacheableImageResponse({ bytes: await picture(signal), contentType: "image/webp", etag });
    },
  }),
});
