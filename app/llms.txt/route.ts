import { viewer } from "#lib/http/auth.ts";
import { methods } from "#lib/http/methods.ts";
import { route } from "#lib/http/route.ts";
import { textResponse } from "#lib/http/text-response.ts";
import { writeLlms } from "../docs/content/llms.ts";
import { routeSources } from "../docs/route-sources.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    auth: viewer,
    handle: async () => textResponse({ text: await writeLlms(routeSources()), contentType: "text/plain" }),
  }),
});
