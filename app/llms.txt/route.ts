import { viewer } from "#lib/http/identity/auth.ts";
import { textResponse } from "#lib/http/response/answer.ts";
import { methods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { writeLlms } from "../docs/content/llms.ts";
import { routeSources } from "../docs/route-sources.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: viewer,
    handle: async () => textResponse({ text: await writeLlms(routeSources()), contentType: "text/plain" }),
  }),
});
