import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { COOKIE_LIMIT, HEADER_LIMIT } from "#lib/http/http-limits.ts";
import { requireOwnHost } from "#lib/http/identity/host.ts";
import { NOTHING_HERE, requirePlainPath } from "#lib/http/route/path.ts";
import { addNonce } from "./content-security-policy.ts";
import type { ReceivedRequest, RequestContext } from "./request-context.ts";
import { loggedPath } from "./request-log.ts";

const ROUTED_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
export const PAGE_METHODS = new Set(["GET", "HEAD"]);

/** The paths of routes, which handle every method themselves. Pages and files allow only GET and HEAD. */
const ROUTES = /^\/(?:(?:api|healthz|readyz|metrics)(?:[/?]|$)|(?:(?:llms|robots)\.txt|docs(?:\/[^?]+)?\.md)(?:\?|$))/;

/** Whether a request is for a page or a file of one, by its target. */
export function isForPage(target: string): boolean {
  return !ROUTES.test(target);
}

/** A host with an optional port (RFC 9110). Two Host headers arrive joined by a comma, and do not match. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** The headers with which Next's client requests the data of a page. Next would redirect a request for a route with them. */
const RSC_HEADER = /^(?:rsc$|next-(?:router-|url$|hmr-refresh$|action$))/;

const STATE_HEADER = "next-router-state-tree";

/**
 * How many arrays a state may hold. Those of this service's pages hold fewer than ten. Next checks a state in time quadratic in
 * its depth: the 1,600 levels that fit into the largest head block the event loop for 150 ms, and then exceed the stack.
 */
const STATE_ARRAYS = 50;

/**
 * What Next serves under other names: the data of a page that its path requests instead of a header, and the page for
 * failures, whose status is 500. No page links to these.
 */
const INTERNAL_PATH = /\.rsc\/?$|\.segments\/|^\/_global-error(?:\/|$)/;

/** Node's parser also takes 0.9 and 2.0, whose messages have another form. A proxy may read what follows differently. */
const VERSIONS = ["1.0", "1.1"];

/** The error for a head after which it is uncertain where the next request begins, or whose client costs too much. */
const CLOSING = { headers: { Connection: "close" } };

/**
 * Refuses a head that two programs could read differently, or that takes long to parse.
 * @throws AppError `invalid_request` for another version than HTTP/1.0 and 1.1, an invalid Host, too many cookies and chunks in HTTP/1.0,
 * `unsupported_media_type` for a transfer coding
 */
function requirePlainHead({ headers, httpVersion }: IncomingMessage): void {
  const { host, "transfer-encoding": coding } = headers;
  if (!VERSIONS.includes(httpVersion))
    throw new AppError("invalid_request", `Got a request line of HTTP/${httpVersion}, want HTTP/1.1.`, CLOSING);
  if (host === undefined && httpVersion !== "1.0")
    throw new AppError("invalid_request", "The request has no Host header.");
  if (host !== undefined && !HOST.test(host))
    throw new AppError("invalid_request", "The Host header is invalid, want one host with an optional port.");
  const cookies = (headers.cookie ?? "").split(";").length;
  if (cookies > COOKIE_LIMIT)
    throw new AppError("invalid_request", `Got ${cookies} cookies, want at most ${COOKIE_LIMIT}.`);
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    throw new AppError("unsupported_media_type", "Got another transfer coding, want chunked or none.");
  if (coding !== undefined && httpVersion !== "1.1") {
    const message = `Got chunks in HTTP/${httpVersion}, which has none. Send a Content-Length, or HTTP/1.1.`;
    throw new AppError("invalid_request", message, CLOSING);
  }
}

/** @throws AppError `not_found` for a path that only Next itself uses */
export function requirePagePath(target: string): void {
  const [path = ""] = target.split("?", 1);
  if (INTERNAL_PATH.test(decodeURIComponent(path))) throw new AppError("not_found", NOTHING_HERE);
}

/** Whether Next accepts what a client says about the page that it shows. Otherwise Next would respond 500. */
function isRouterState(header: string | string[]): boolean {
  try {
    const arrays = decodeURIComponent(String(header)).split("[").length - 1;
    return arrays <= STATE_ARRAYS && parseAndValidateFlightRouterState(header) !== undefined;
  } catch {
    return false;
  }
}

/** Makes a request for the data of a page an ordinary request. */
export function dropRscHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (RSC_HEADER.test(name)) delete headers[name];
}

/**
 * The longest address of which the data are served. Next redirects a request for data whose address it has not made, and writes each
 * character as up to three. `deploy/nginx.conf` takes 32 kB of headers. Pages make addresses of 6,000 characters at most.
 */
const DATA_ADDRESS_CHARS = 8_000;

/**
 * Keeps the headers of Next's client only where they request the data of a page. Next would read some of them in other requests
 * too. Without a valid state, the client gets the data of the whole page.
 */
export function dropInvalidRscHeaders(request: IncomingMessage): void {
  const { url = "", headers } = request;
  const { rsc, [STATE_HEADER]: state } = headers;
  // Next takes no other value.
  if (rsc !== "1" || url.length > DATA_ADDRESS_CHARS) dropRscHeaders(request);
  else if (state !== undefined && !isRouterState(state)) delete headers[STATE_HEADER];
}

/** Removes a header for services with a middleware. This one has none, and Next would answer `{}`. */
function dropMiddlewareHeader({ headers }: IncomingMessage): void {
  delete headers["x-middleware-prefetch"];
}

/** The cookies of Next's draft mode, which this service does not have. */
const DRAFT_COOKIE = /^\s*(?:__prerender_bypass|__next_preview_data)\s*(?:=|$)/;

/**
 * Removes them. Next would delete them with every response, those that caches keep among them, and another application under the same
 * host may need them.
 */
function dropDraftCookies({ headers }: IncomingMessage): void {
  const cookies = headers.cookie?.split(";");
  if (cookies) headers.cookie = cookies.filter((cookie) => !DRAFT_COOKIE.test(cookie)).join(";");
}

/** Removes the preconditions of changes. No route supports them, and Next responds 500 to a file that does not meet them. */
function dropPreconditions({ headers }: IncomingMessage): void {
  delete headers["if-match"];
  delete headers["if-unmodified-since"];
}

/** @throws AppError `invalid_request` for more than {@link HEADER_LIMIT} headers, which take milliseconds to read */
export function requireFewHeaders({ rawHeaders }: IncomingMessage): void {
  const count = rawHeaders.length / 2;
  if (count > HEADER_LIMIT)
    throw new AppError("invalid_request", `Got ${count} headers, want at most ${HEADER_LIMIT}.`, CLOSING);
}

/** Copies what the checks of origin and caller rely on, before the server or Next changes the request. */
export function copyReceived({ headers, socket }: IncomingMessage): ReceivedRequest {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const { remoteAddress: address } = socket;
  return {
    headers: new Headers(entries),
    encrypted: socket instanceof TLSSocket,
    ...(address !== undefined && { address }),
  };
}

/** Refuses requests that Next would answer itself, and rewrites those that Next does not support. @throws AppError */
export function admit(request: IncomingMessage, context: RequestContext): void {
  requirePlainHead(request);
  request.headers.host ??= "localhost";
  request.url = requirePlainPath(request.url ?? "");
  if (context.received) context.received.target = request.url;
  context.path = loggedPath(request.url.split("?", 1)[0] ?? "");
  const isPage = isForPage(request.url);
  // Routes check their host themselves: probes take any.
  if (isPage && !accessEnabled()) requireOwnHost(copyReceived(request));
  if (isPage && !PAGE_METHODS.has(context.method)) {
    const headers = { Allow: [...PAGE_METHODS].join(", ") };
    throw new AppError("method_not_allowed", `Got the method ${context.method}, want GET or HEAD.`, { headers });
  }
  if (!isPage) dropRscHeaders(request);
  else {
    requirePagePath(request.url);
    dropInvalidRscHeaders(request);
    context.nonce = addNonce(request);
  }
  dropMiddlewareHeader(request);
  dropDraftCookies(request);
  dropPreconditions(request);
  // Next knows only these methods. No route allows OPTIONS, so each responds 405 to it.
  if (!ROUTED_METHODS.has(context.method)) request.method = "OPTIONS";
}

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
}
