import { isDevelopment } from "#lib/config.ts";
import { bytesResponse } from "./answer.ts";

/** How long a browser uses its copy without asking, in seconds: back and forward cause no request, and a new picture shows within a minute. */
const FRESH_SECONDS = 60;

/** One entity tag (RFC 9110). A weak one names the same picture here. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e]*")/g;

/** Private, because shared caches do not check who may see the picture. In development a picture changes while it is edited. */
function cacheControl(): string {
  return isDevelopment() ? "private, no-cache" : `private, max-age=${FRESH_SECONDS}, must-revalidate`;
}

/** Whether `If-None-Match` names an entity tag. */
export function namesEtag({ headers }: Pick<Request, "headers">, etag: string): boolean {
  return [...(headers.get("if-none-match") ?? "").matchAll(ENTITY_TAG)].some(([, tag]) => tag === etag);
}

/** Whether `If-None-Match` says that the client has the current picture. */
export function matchesEtag(request: Request, etag: string): boolean {
  return request.headers.get("if-none-match")?.trim() === "*" || namesEtag(request, etag);
}

type CacheableImage = { bytes: Buffer; contentType: "image/png" | "image/webp"; etag: string };

/** A picture that the browser may cache. */
export function cacheableImageResponse({ bytes, contentType, etag }: CacheableImage): Response {
  const headers = {
    "Content-Type": contentType,
    "Content-Disposition": "inline",
    "Cache-Control": cacheControl(),
    ETag: etag,
  };
  return bytesResponse({ bytes, headers });
}

/** The response to a client that has the current picture. */
export function notModifiedResponse(etag: string): Response {
  return new Response(null, { status: 304, headers: { "Cache-Control": cacheControl(), ETag: etag } });
}
