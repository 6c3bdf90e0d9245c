import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isDevelopment } from "#lib/config.ts";

export const POLICY_HEADER = "Content-Security-Policy";

/** What no attacker guesses, as Content Security Policy Level 3 wants it. */
const NONCE_BYTES = 16;

/**
 * What a page may do: everything comes from this host, and nothing frames it. Some of Next's own scripts and styles are inline.
 * @param nonce what those scripts carry, so that no other one runs; without it any inline script does
 */
export function pagePolicy(nonce?: string): string {
  const dev = isDevelopment();
  return [
    "default-src 'self'",
    `script-src 'self' ${nonce === undefined ? "'unsafe-inline'" : `'nonce-${nonce}'`}${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Makes a nonce for one page, and tells it to Next, which looks for it in the policy of the request and puts it on every script that it writes. */
export function offerNonce({ headers }: IncomingMessage): string {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  // Whatever a client says here would end up in the page.
  headers[POLICY_HEADER.toLowerCase()] = pagePolicy(nonce);
  return nonce;
}

/** Answers a page with the policy of its nonce. Answers that are no page of Next's have a policy that is stricter. */
export function narrowPolicy(response: ServerResponse, nonce: string): void {
  if (response.hasHeader(POLICY_HEADER)) response.setHeader(POLICY_HEADER, pagePolicy(nonce));
}
