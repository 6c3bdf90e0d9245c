import { isDevelopment } from "#lib/config.ts";
import { bytesResponse } from "./answer.ts";

/** How long a browser shows what it has before it asks again, in seconds: going back and forth asks nothing, a new picture is seen within a minute. */
const FRESH_SECONDS = 60;

/** RFC 9110: one entity tag. A weak one names the same picture here. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e]*")/g;

/** Only for whoever was let in: it lies in no cache that others share. In development a picture changes while it is looked at. */
function cacheControl(): string {
  return isDevelopment() ? "private, no-cache" : `private, max-age=${FRESH_SECONDS}, must-revalidate`;
}

/** Whether a client says that it has what an entity tag names (`If-None-Match`). */
export function hasAlready({ headers }: Request, etag: string): boolean {
  const known = headers.get("if-none-match") ?? "";
  return known.trim() === "*" || [...known.matchAll(ENTITY_TAG)].some(([, tag]) => tag === etag);
}

type KeptImage = { bytes: Buffer; contentType: "image/png" | "image/webp"; etag: string };

/** A picture that a browser may keep. */
export function keptImageResponse({ bytes, contentType, etag }: KeptImage): Response {
  const headers = {
    "Content-Type": contentType,
    "Content-Disposition": "inline",
    "Cache-Control": cacheControl(),
    ETag: etag,
  };
  return bytesResponse({ bytes, headers });
}

/** What a client is told that has the picture already. */
export function notModifiedResponse(etag: string): Response {
  return new Response(null, { status: 304, headers: { "Cache-Control": cacheControl(), ETag: etag } });
}
