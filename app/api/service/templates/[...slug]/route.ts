import { viewer } from "#lib/http/auth.ts";
import { methods } from "#lib/http/methods.ts";
import { joinedPath } from "#lib/http/path.ts";
import { route } from "#lib/http/route.ts";
import { TemplateDetail } from "#lib/schemas/template.ts";
import { describeTemplate } from "#lib/templates/catalog.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: viewer,
    returns: TemplateDetail,
    handle: ({ params }) => describeTemplate(joinedPath(params.slug)),
  }),
});
