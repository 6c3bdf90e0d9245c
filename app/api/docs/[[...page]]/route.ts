import { AppError } from "#lib/errors.ts";
import { viewer } from "#lib/http/identity/auth.ts";
import { textResponse } from "#lib/http/response/answer.ts";
import { methods } from "#lib/http/route/methods.ts";
import { joinedPath } from "#lib/http/route/path.ts";
import { route } from "#lib/http/route/route.ts";
import { documentOf, writePage } from "../../../docs/doc-pages.ts";
import { routeSources } from "../../../docs/route-sources.ts";

/** The documentation as Markdown. `next.config.ts` leads here from `/docs.md`, `/docs/errors.md` and the like. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: viewer,
    handle: async ({ params }) => {
      const below = joinedPath(params.page);
      const page = await writePage(below === "" ? "/docs" : `/docs/${below}`, routeSources());
      if (page === undefined) throw new AppError("not_found", "There is no such page.");
      return textResponse({ text: documentOf(page), contentType: "text/markdown" });
    },
  }),
});
