import { AppError } from "#lib/errors.ts";
import { viewer } from "#lib/http/identity/auth.ts";
import { textResponse } from "#lib/http/response/answer.ts";
import { operation } from "#lib/http/route/operation.ts";
import { PATHS } from "#lib/operations/paths.ts";
import { writeLlms } from "./content/llms.ts";
import { documentOf, writePage } from "./doc-pages.ts";
import { routeSources } from "./route-sources.ts";

/** `next.config.ts` rewrites `/docs.md`, `/docs/errors.md` and the like to it. */
export const getDocsPage = operation({
  method: "GET",
  path: PATHS.docs,
  operationId: "getDocsPage",
  summary: "Get a page of the documentation as Markdown",
  tag: null,
  auth: viewer,
  contentType: "text/markdown",
  errors: ["not_found"],
  handle: async ({ params }) => {
    const page = await writePage(params.page === "" ? "/docs" : `/docs/${params.page}`, routeSources());
    if (page === undefined) throw new AppError("not_found", "There is no such page.");
    return textResponse({ text: documentOf(page), contentType: "text/markdown" });
  },
});

export const getLlms = operation({
  method: "GET",
  path: PATHS.llms,
  operationId: "getLlms",
  summary: "Get a description of the service for language models",
  tag: null,
  auth: viewer,
  contentType: "text/plain",
  handle: async () => textResponse({ text: await writeLlms(routeSources()), contentType: "text/plain" }),
});
