import { inspector } from "#lib/http/identity/auth.ts";
import { fairCaller } from "#lib/http/identity/caller.ts";
import { entryPointOf } from "#lib/http/identity/entry-point.ts";
import { cacheableImageResponse, notModifiedResponse } from "#lib/http/response/conditional-response.ts";
import { operation } from "#lib/http/route/operation.ts";
import { scriptSheet } from "#lib/render/script-sheet.ts";
import { ScriptsQuery, StatusReport } from "#lib/schemas/status-report.ts";
import { readStatus } from "#lib/status/report.ts";
import { CACHED_IMAGE } from "./headers.ts";
import { PATHS } from "./paths.ts";
import { MONITORING } from "./tags.ts";

export const getStatus = operation({
  method: "GET",
  path: PATHS.status,
  operationId: "getStatus",
  summary: "Check everything that the service depends on, with a remedy for each fault",
  tag: MONITORING,
  auth: inspector,
  returns: StatusReport,
  success: "The report. The status is 200 even if checks fail.",
  handle: ({ received }) => readStatus(entryPointOf(received)),
});

export const getScriptSamples = operation({
  method: "GET",
  path: PATHS.scriptSamples,
  operationId: "getScriptSamples",
  summary: "Get a picture of a few words in every script, as the browser draws them",
  tag: MONITORING,
  auth: inspector,
  query: ScriptsQuery,
  contentType: "image/png",
  success: "The picture.",
  headers: CACHED_IMAGE,
  isConditional: true,
  errors: ["render_failed", "overloaded", "render_timeout"],
  handle: async ({ actor, caller: callerOf, query, matchesEtag, signal }) => {
    const { etag, picture } = await scriptSheet(query.theme);
    if (matchesEtag(etag)) return notModifiedResponse(etag);
    const caller = fairCaller(actor, callerOf());
    return cacheableImageResponse({ bytes: await picture({ signal, caller }), contentType: "image/png", etag });
  },
});
