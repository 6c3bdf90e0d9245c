import { viewer } from "#lib/http/auth.ts";
import { keptImageResponse, notModifiedResponse } from "#lib/http/kept-image.ts";
import { methods } from "#lib/http/methods.ts";
import { joinedPath } from "#lib/http/path.ts";
import { route } from "#lib/http/route.ts";
import { findThumbnail } from "#lib/render/thumbnail.ts";
import { ThumbnailQuery } from "#lib/schemas/thumbnail.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: viewer,
    query: ThumbnailQuery,
    handle: async ({ params, query, hasAlready, signal }) => {
      const { etag, picture } = await findThumbnail({ slug: joinedPath(params.slug), ...query });
      if (hasAlready(etag)) return notModifiedResponse(etag);
      return keptImageResponse({ bytes: await picture(signal), contentType: "image/webp", etag });
    },
  }),
});
