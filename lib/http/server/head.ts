import type { IncomingMessage } from "node:http";
import { AppError } from "#lib/errors.ts";
import { COOKIE_LIMIT } from "#lib/http/http-limits.ts";

/** A host and perhaps a port, as RFC 9110 writes them. Two Host headers, joined, are none. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** How Next's own pages ask for a part of themselves. A route has no parts, and Next would answer it with a redirect. */
const PART_HEADER = /^(?:rsc$|next-router-)/;

/**
 * Refuses a head that two programs would read differently, or that takes long to read.
 * @throws AppError `invalid_request` for a Host that is none and for too many cookies, `unsupported_media_type` for a coded body
 */
export function requirePlainHead({ headers, httpVersion }: IncomingMessage): void {
  const { host, "transfer-encoding": coding } = headers;
  if (host === undefined && httpVersion === "1.1")
    throw new AppError("invalid_request", "The request has no Host header.");
  if (host !== undefined && !HOST.test(host)) throw new AppError("invalid_request", "The Host header names no host.");
  const cookies = (headers.cookie ?? "").split(";").length;
  if (cookies > COOKIE_LIMIT)
    throw new AppError("invalid_request", `Got ${cookies} cookies, want at most ${COOKIE_LIMIT}.`);
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    throw new AppError("unsupported_media_type", "Got a transfer coding, want none beside chunked.");
  }
}

/** Makes the request of a page's part an ordinary one. */
export function dropPartHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (PART_HEADER.test(name)) delete headers[name];
}
