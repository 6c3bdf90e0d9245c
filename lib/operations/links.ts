import { createHash } from "node:crypto";
import { after } from "next/server.js";
import { isSuspendedBetweenRequests } from "#lib/config.ts";
import { anyone } from "#lib/http/identity/auth.ts";
import { fairCaller } from "#lib/http/identity/caller.ts";
import { namesEtag } from "#lib/http/response/conditional-response.ts";
import { pngResponse } from "#lib/http/response/png-response.ts";
import { operation } from "#lib/http/route/operation.ts";
import { linkKeys, linksEnabled } from "#lib/link-config.ts";
import { drawLink } from "#lib/links/draw-link.ts";
import { readLink } from "#lib/links/read-link.ts";
import { findTag } from "#lib/render/render-template.ts";
import { pictureStore } from "#lib/render/store/picture-store.ts";
import { LINKED_HEADERS } from "./headers.ts";
import { PATHS } from "./paths.ts";
import { RENDER_ERRORS } from "./render-errors.ts";
import { RENDERING } from "./tags.ts";

/** How long caches may keep the picture of a link, in seconds: a day, because templates change. */
const FRESH_SECONDS = 86_400;

/** Pages of other sites may show the picture: that is what a link is for. */
const SHOWN_ANYWHERE = { "Cross-Origin-Resource-Policy": "cross-origin" };

/** For an answer that is sent now: to draw the picture took time. @param expires Unix seconds */
function cacheControl(expires = Number.POSITIVE_INFINITY): string {
  const left = Math.max(0, Math.floor(expires - Date.now() / 1_000));
  return `public, max-age=${Math.min(FRESH_SECONDS, left)}`;
}

/** The tag of a picture whose tag is not known before it is drawn, because it shows fetched images. */
function tagOfBytes(png: Buffer): string {
  return `"${createHash("sha256").update(png).digest("base64url")}"`;
}

export const getLinkedImage = operation({
  method: "GET",
  path: PATHS.link,
  operationId: "getLinkedImage",
  summary: "Get the picture that a signed link names",
  tag: RENDERING,
  auth: anyone,
  isServed: linksEnabled,
  contentType: "image/png",
  success: "The picture, at exactly the template's width and height.",
  headers: LINKED_HEADERS,
  isConditional: true,
  errors: ["not_found", "invalid_request", ...RENDER_ERRORS],
  handle: async ({ actor, caller: callerOf, target, received, addToLog, matchesEtag, signal }) => {
    const { keyId, link } = readLink(target, { keys: linkKeys(), now: Date.now(), tell: addToLog });
    const headers = () => ({ "Cache-Control": cacheControl(link.expires), ...SHOWN_ANYWHERE });
    const notModified = (ETag: string) => new Response(null, { status: 304, headers: { ...headers(), ETag } });
    // A client can only name the tag of a picture that was drawn. `*` names none, so the picture is drawn first.
    if (received.headers.has("if-none-match")) {
      // What this throws, drawing throws again, where there may be a fallback.
      const tag = await findTag(link).catch(() => undefined);
      if (tag !== undefined && namesEtag(received, tag)) return notModified(tag);
    }
    const store = pictureStore();
    const { isFallback, ...drawn } = await drawLink(link, {
      signal,
      caller: `link:${keyId}`,
      sender: fairCaller(actor, callerOf()),
      store,
      tell: addToLog,
    });
    if (store && isSuspendedBetweenRequests()) after(() => store.written());
    // Of an image that cannot be fetched now, the next request may show more. Caches would show a picture without it for a day.
    const isMakeshift = isFallback || drawn.warnings.some(({ code }) => code === "image_unavailable");
    const etag = isMakeshift ? undefined : (drawn.etag ?? tagOfBytes(drawn.png));
    if (etag !== undefined && matchesEtag(etag)) return notModified(etag);
    const response = pngResponse({ ...drawn, etag });
    response.headers.delete("Server-Timing");
    for (const [name, value] of Object.entries(headers())) response.headers.set(name, value);
    if (isMakeshift) response.headers.set("Cache-Control", "no-store");
    return response;
  },
});
