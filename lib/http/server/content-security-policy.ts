import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isDevelopment } from "#lib/config.ts";

export const POLICY_HEADER = "Content-Security-Policy";

/** 128 bits, the least that Content Security Policy Level 3 recommends. */
const NONCE_BYTES = 16;

/**
 * The Content Security Policy of pages: everything comes from this host, and no site frames them. Next writes inline scripts
 * and styles.
 * @param nonce of the page's scripts; without a nonce, any inline script runs
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

/**
 * Creates the nonce of one page. Next reads it from the policy in the request's headers, and puts it on every script of the
 * page. A policy that the client sent is replaced.
 */
export function addNonce({ headers }: IncomingMessage): string {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  headers[POLICY_HEADER.toLowerCase()] = pagePolicy(nonce);
  return nonce;
}

/**
 * Whether a response is a page. `next.config.ts` gives a policy to every path but those of routes. Next ignores the case of paths
 * there, so the 404 page of `/API/x` gets none. It is recognised by its content type.
 */
function isPage(response: ServerResponse): boolean {
  return response.hasHeader(POLICY_HEADER) || String(response.getHeader("Content-Type")).startsWith("text/html");
}

/** Gives a page the policy of its nonce. Other responses keep theirs. */
export function setNoncePolicy(response: ServerResponse, nonce: string): void {
  if (isPage(response)) response.setHeader(POLICY_HEADER, pagePolicy(nonce));
}
