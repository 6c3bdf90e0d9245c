import { globSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, sep } from "node:path";
import { type Encoding, preferredEncoding } from "./accept-encoding.ts";
import { varyByEncoding } from "./compression.ts";

/** The extensions of the files that the build compresses, and the types that Next gives them. */
export const COMPRESSED_TYPES: Record<string, string> = {
  ".css": "text/css; charset=UTF-8",
  ".js": "application/javascript; charset=UTF-8",
};

/** Encoding → what the build adds to the name of a file. */
export const ENCODING_EXTENSIONS: Record<Encoding, string> = { br: ".br", gzip: ".gz" };

/** The path of the folder `.next/static`. */
const STATIC_PATH = "/_next/static/";

const FOUND = new Set([200, 304]);

/**
 * Lets Next send the compressed copy of a file that the build has put beside it, as the file: Next takes care of the length, the
 * entity tag of the copy, conditional requests and slow readers. Ranges are those of the file itself.
 */
function sendCopy(request: IncomingMessage, response: ServerResponse, encoding: Encoding | undefined): void {
  const [path = "", ...query] = (request.url ?? "").split("?");
  if (encoding) request.url = [path + ENCODING_EXTENSIONS[encoding], ...query].join("?");
  const writeHead = response.writeHead;
  response.writeHead = function writeHeadOfCopy(status: number, ...rest: unknown[]) {
    response.writeHead = writeHead;
    if (FOUND.has(status)) varyByEncoding(response);
    if (status === 200 && encoding) {
      response.setHeader("Content-Type", COMPRESSED_TYPES[extname(path)] ?? "");
      response.setHeader("Content-Encoding", encoding);
    }
    return Reflect.apply(writeHead, response, [status, ...rest]);
  } as typeof writeHead;
}

/**
 * Reads which static files have compressed copies.
 * @param folder `.next/static`
 * @returns to be called with each request and its response before Next gets them
 */
export function staticFiles(folder: string): (request: IncomingMessage, response: ServerResponse) => void {
  const names = globSync("**/*.br", { cwd: folder }).map((name) => name.replaceAll(sep, "/").slice(0, -".br".length));
  const paths = new Set(names.map((name) => STATIC_PATH + name));
  return (request, response) => {
    const { url = "", headers } = request;
    if (!paths.has(url.split("?", 1)[0] ?? "")) return;
    sendCopy(
      request,
      response,
      headers.range === undefined ? preferredEncoding(headers["accept-encoding"]) : undefined,
    );
  };
}
