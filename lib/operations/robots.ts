import { allowsIndexing } from "#lib/config.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { textResponse } from "#lib/http/response/answer.ts";
import { operation } from "#lib/http/route/operation.ts";
import { linksEnabled } from "#lib/link-config.ts";
import { PATHS } from "./paths.ts";

/**
 * The rules for crawlers. The longest rule that matches decides (RFC 9309). Pictures of links are for pages of others: crawlers that
 * make previews ask here before they fetch one.
 */
function rules(): string[] {
  const links = linksEnabled() ? ["Allow: /api/service/links/"] : [];
  if (!allowsIndexing()) return [...links, "Disallow: /"];
  return [...links, "Allow: /api/service/thumbnails/", "Disallow: /api/"];
}

export const getRobots = operation({
  method: "GET",
  path: PATHS.robots,
  operationId: "getRobots",
  summary: "Tell crawlers which paths they may read",
  tag: null,
  auth: anyone,
  contentType: "text/plain",
  handle: async () =>
    textResponse({ text: `${["User-agent: *", ...rules()].join("\n")}\n`, contentType: "text/plain" }),
});
