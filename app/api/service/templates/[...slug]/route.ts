import { viewer } from "#lib/http/identity/auth.ts";
import { methods } from "#lib/http/route/methods.ts";
import { joinedPath } from "#lib/http/route/path.ts";
import { route } from "#lib/http/route/route.ts";
import { TemplateDetail } from "#lib/schemas/template.ts";
import { describeTemplate } from "#lib/templates/catalog.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: viewer,
    returns: TemplateDetail,
    handle: ({ params }) => describeTemplate(joinedPath(params.slug)),
  }),
});
