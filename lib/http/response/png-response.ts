import type { Issue } from "#lib/errors.ts";
import { WARNING_HEADER_BYTES, WARNING_LIMIT } from "#lib/http/http-limits.ts";
import { bytesResponse } from "./answer.ts";

export const WARNINGS_HEADER = "X-Render-Warnings";

/** JSON in ASCII, because headers have no defined encoding. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The value of {@link WARNINGS_HEADER}: the JSON object `{ "warnings": [{ "path", "code", "message" }, …], "more": 0 }`.
 * `more` counts the warnings beyond {@link WARNING_LIMIT} and {@link WARNING_HEADER_BYTES}.
 */
export function warningsHeader(warnings: Issue[]): string {
  const included = warnings.slice(0, WARNING_LIMIT);
  for (;;) {
    const text = asciiJson({ warnings: included, more: warnings.length - included.length });
    if (text.length <= WARNING_HEADER_BYTES || included.length === 0) return text;
    included.pop();
  }
}

type Png = {
  png: Buffer;
  slug: string;
  etag: string | undefined;
  /** The `Server-Timing` entry of a picture that was not rendered for this request. */
  source: string;
  /** Stage → milliseconds. */
  timings: Record<string, number>;
  warnings: Issue[];
};

/** A rendered picture with the headers of the contract, its `Server-Timing` and its warnings. */
export function pngResponse({ png, slug, etag, source, timings, warnings }: Png): Response {
  const stages = Object.entries(timings).map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`);
  if (stages.length === 0) stages.push(source);
  const headers = {
    "Content-Type": "image/png",
    "Content-Disposition": `inline; filename="${slug.replaceAll("/", "-")}.png"`,
    ...(etag && { ETag: etag }),
    "Server-Timing": stages.join(", "),
    ...(warnings.length > 0 && { [WARNINGS_HEADER]: warningsHeader(warnings) }),
  };
  return bytesResponse({ bytes: png, headers });
}
