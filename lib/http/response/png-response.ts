import type { Issue } from "#lib/errors.ts";
import { bytesResponse } from "./answer.ts";
import { WARNINGS_HEADER, warningsHeader } from "./warnings-header.ts";

type Png = {
  png: Buffer;
  slug: string;
  etag: string | undefined;
  source: string;
  /** Step → milliseconds. */
  timings: Record<string, number>;
  warnings: Issue[];
};

/**
 * A rendered picture with its own headers: those of the contract, where its time went (`Server-Timing`), and what it shows
 * otherwise than was asked for. That nobody keeps it or takes it for anything else, every answer says (`answer`).
 */
export function pngResponse({ png, slug, etag, source, timings, warnings }: Png): Response {
  const steps = Object.entries(timings).map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`);
  if (steps.length === 0) steps.push(source);
  const headers = {
    "Content-Type": "image/png",
    "Content-Disposition": `inline; filename="${slug.replaceAll("/", "-")}.png"`,
    ...(etag && { ETag: etag }),
    "Server-Timing": steps.join(", "),
    ...(warnings.length > 0 && { [WARNINGS_HEADER]: warningsHeader(warnings) }),
  };
  return bytesResponse({ bytes: png, headers });
}
