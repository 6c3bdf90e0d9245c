import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { COMPRESSIBLE_LIMIT_BYTES, UNCOMPRESSED_BYTES } from "#lib/http/http-limits.ts";
import { SESSION_COOKIE } from "#lib/http/identity/cookies.ts";
import { type Encoding, preferredEncoding, refusesIdentity } from "./accept-encoding.ts";
import { readChunk } from "./body-chunk.ts";
import type { RequestContext } from "./request-context.ts";

/** Text. Pictures and fonts are compressed already, and a stream of events must not wait in a buffer. */
const COMPRESSIBLE =
  /^(?:text\/(?:html|css|markdown|plain|x-component)|application\/(?:json|javascript|manifest\+json)|image\/svg\+xml)(?:;|$)/i;

const READ_METHODS = new Set<string | undefined>(["GET", "HEAD"]);

/** Next's client adds it to requests for the data of a page. Scripts of other sites cannot send such a request. */
const OWN_QUERY = /^(?:\?_rsc=[\w-]*)?$/;

/** A page of 119 kB becomes 12 kB in 1.4 ms. Quality 7 takes 3.4 ms, and saves 1 % more. */
const BROTLI_QUALITY = 5;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Compresses in a thread, so that other requests go on. */
function encode(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return compressGzip(body);
  return compressBrotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

/**
 * Whether an attacker may have chosen this request and had the browser of a user add credentials to it. Text beside a guess in the
 * address could be read from the sizes of many such answers (BREACH). Browsers say who began a request: one that says nothing
 * counts as foreign, and one with a query may follow a redirect that a foreign site began.
 */
function mayBeForced({ headers, url = "" }: IncomingMessage): boolean {
  if (!headers.cookie?.includes(SESSION_COOKIE) && headers.authorization === undefined) return false;
  const isOwn = ["same-origin", "none"].includes(String(headers["sec-fetch-site"]));
  return !isOwn || !OWN_QUERY.test(url.slice(url.split("?", 1)[0]?.length));
}

/** The encoding for the response to a request. Only reads are compressed: the answer to `POST /tokens` holds a secret. */
function encodingFor(request: IncomingMessage): Encoding | undefined {
  const { method, headers } = request;
  if (!READ_METHODS.has(method) || headers.range !== undefined || mayBeForced(request)) return undefined;
  return preferredEncoding(headers["accept-encoding"]);
}

/** The length of the body, if the application has set it. */
function lengthOf(response: ServerResponse, { contentLength }: RequestContext): number | undefined {
  const length = contentLength ?? response.getHeader("Content-Length");
  return length === undefined ? undefined : Number(length);
}

function isCompressible(response: ServerResponse): boolean {
  return COMPRESSIBLE.test(String(response.getHeader("Content-Type") ?? ""));
}

/** Whether to compress a response whose headers are set. */
function isWorthEncoding(response: ServerResponse, length: number | undefined): boolean {
  if (response.headersSent || response.statusCode !== 200 || !isCompressible(response)) return false;
  if (response.hasHeader("Content-Encoding") || response.hasHeader("Set-Cookie")) return false;
  if (length === undefined) return true;
  const least = refusesIdentity(response.req.headers["accept-encoding"]) ? 1 : UNCOMPRESSED_BYTES;
  return length >= least && length <= COMPRESSIBLE_LIMIT_BYTES;
}

/** Tells caches that the body depends on `Accept-Encoding`. */
function varyByEncoding(response: ServerResponse): void {
  const vary = [response.getHeader("Vary") ?? []].flat().join(", ");
  if (!/accept-encoding/i.test(vary)) response.setHeader("Vary", vary ? `${vary}, Accept-Encoding` : "Accept-Encoding");
}

/** Headers of Next's router. It names them in `Vary` on every route, but only pages depend on them. */
const ROUTER_HEADER = /^(?:rsc|next-)/i;

/** Takes them out of `Vary` where something else than a page is sent, so that a cache keeps one copy of it. */
export function forgetRouterHeaders(response: ServerResponse): void {
  const type = response.getHeader("Content-Type");
  const vary = [response.getHeader("Vary") ?? []].flat().join(",");
  if (vary === "" || type === undefined || /^text\/(?:html|x-component)/i.test(String(type))) return;
  const own = vary.split(",").flatMap((name) => (ROUTER_HEADER.test(name.trim()) ? [] : [name.trim()]));
  if (own.length === 0) response.removeHeader("Vary");
  else response.setHeader("Vary", own.join(", "));
}

/** {@link varyByEncoding} for a response that some clients get compressed. */
export function varyIfCompressible(response: ServerResponse): void {
  if (READ_METHODS.has(response.req.method) && isCompressible(response)) varyByEncoding(response);
}

/** A strong tag names the bytes of one encoding, a weak one the content of all of them. */
function weakenTag(response: ServerResponse): void {
  const tag = response.getHeader("ETag");
  if (typeof tag === "string" && !tag.startsWith("W/")) response.setHeader("ETag", `W/${tag}`);
}

type Compression = { response: ServerResponse; context: RequestContext; encoding: Encoding };

/** Compresses the whole body of a response, and sets its headers. @returns the bytes to send */
async function encodeBody(body: Buffer, { response, context, encoding }: Compression): Promise<Buffer> {
  const isHead = response.req.method === "HEAD";
  // The length of a HEAD response is known only where the body was made.
  if (!isHead && !isWorthEncoding(response, body.length)) return body;
  const encoded = isHead ? body : await encode(body, encoding);
  response.removeHeader("Content-Length");
  response.setHeader("Content-Encoding", encoding);
  weakenTag(response);
  context.contentLength = isHead ? undefined : encoded.length;
  return encoded;
}

/**
 * Holds back a response of text until it ends, and compresses it if its client accepts that. The whole is compressed at once:
 * its length is known, and nothing but the compressed bytes waits for a slow reader. A response longer than
 * {@link COMPRESSIBLE_LIMIT_BYTES} is sent as it is made.
 */
export function compressAtEnd(response: ServerResponse, context: RequestContext): void {
  const encoding = encodingFor(response.req);
  if (!encoding) return;
  const { write, end, flushHeaders } = response;
  const held: Buffer[] = [];
  let heldBytes = 0;
  let isEnding = false;
  const isWorth = () => heldBytes <= COMPRESSIBLE_LIMIT_BYTES && isWorthEncoding(response, lengthOf(response, context));
  const letThrough = () => {
    Object.assign(response, { write, end, flushHeaders });
    // Where a head was sent, an error response replaces the one that is held back.
    const chunks = response.headersSent ? [] : held;
    for (const chunk of chunks.splice(0)) response.write(chunk);
    return response;
  };
  response.flushHeaders = () => {
    if (!isWorth()) letThrough().flushHeaders();
  };
  response.write = ((...args: unknown[]) => {
    if (!isWorth()) return Reflect.apply(letThrough().write, response, args);
    const { bytes, callback } = readChunk(args);
    heldBytes += bytes.length;
    held.push(bytes);
    // It is taken in full, and the writer may go on.
    if (callback) process.nextTick(callback);
    return true;
  }) as typeof write;
  response.end = ((...args: unknown[]) => {
    // An error may have been answered meanwhile.
    if (isEnding && !response.headersSent) return response;
    if (!isWorth()) return Reflect.apply(letThrough().end, response, args);
    isEnding = true;
    const last = readChunk(args);
    const body = Buffer.concat([...held.splice(0), last.bytes]);
    void encodeBody(body, { response, context, encoding }).then(
      (bytes) => !response.headersSent && !response.destroyed && letThrough().end(bytes, last.callback),
      (error: Error) => response.destroy(error),
    );
    return response;
  }) as typeof end;
}
