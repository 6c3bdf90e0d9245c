import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { type Encoding, preferredEncoding } from "./accept-encoding.ts";

/** The types of the files that a build writes. All of them are sent from memory. */
const TYPES: Record<string, string> = {
  ".css": "text/css; charset=UTF-8",
  ".js": "application/javascript; charset=UTF-8",
  ".woff2": "font/woff2",
};

/** The extensions of the files that the build compresses. */
export const COMPRESSED_EXTENSIONS = [".css", ".js"];

/** Encoding → what the build adds to the name of a file. */
export const ENCODING_EXTENSIONS: Record<Encoding, string> = { br: ".br", gzip: ".gz" };

/** The path of the folder `.next/static`. */
const STATIC_PATH = "/_next/static/";

/** Of every response. The name of a file changes with its content. */
const HEADERS = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

const METHODS = new Set<string | undefined>(["GET", "HEAD"]);

/** The bytes of a file in one encoding, their entity tag, and the headers that describe them. */
type Copy = { bytes: Buffer; tag: string; headers: OutgoingHttpHeaders };

type StaticFile = { plain: Copy } & Partial<Record<Encoding, Copy>>;

function readCopy(path: string, type: string, encoding?: Encoding): Copy {
  const bytes = readFileSync(path + (encoding ? ENCODING_EXTENSIONS[encoding] : ""));
  const headers = {
    "Content-Type": type,
    "Content-Length": bytes.length,
    ...(encoding && { "Content-Encoding": encoding }),
  };
  return { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url")}"`, headers };
}

/** Whether a build has put compressed copies of a file beside it. It makes none of small files. */
function isCompressed(name: string, names: Set<string>): boolean {
  return Object.values(ENCODING_EXTENSIONS).every((extension) => names.has(name + extension));
}

function readFiles(folder: string): Map<string, StaticFile> {
  const names = new Set(globSync("**/*.*", { cwd: folder }));
  const files = [...names].flatMap((name): [string, StaticFile][] => {
    const type = TYPES[extname(name)];
    if (!type) return [];
    const copy = (encoding?: Encoding) => readCopy(join(folder, name), type, encoding);
    const file = { plain: copy(), ...(isCompressed(name, names) && { br: copy("br"), gzip: copy("gzip") }) };
    return [[STATIC_PATH + name.replaceAll(sep, "/"), file]];
  });
  return new Map(files);
}

function send({ headers, method }: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  const encoding = preferredEncoding(headers["accept-encoding"]);
  const copy = (encoding && file[encoding]) ?? file.plain;
  response.setHeaders(new Headers({ ...HEADERS, ETag: copy.tag, ...(file.br && { Vary: "Accept-Encoding" }) }));
  if (headers["if-none-match"]?.includes(copy.tag)) response.writeHead(304).end();
  else response.writeHead(200, copy.headers).end(method === "HEAD" ? undefined : copy.bytes);
}

/**
 * Reads the scripts, style sheets and fonts of a build: 2 MB. A running server sends them from memory, so that pages that are open work
 * while another build replaces the files, and afterwards. A request for a part of a file gets the whole, as RFC 9110, section 14.2 allows.
 * @param folder `.next/static`
 * @returns to be called with each request and its response before Next gets them. It tells whether it has answered.
 */
export function staticFiles(folder: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const files = readFiles(folder);
  return (request, response) => {
    const file = METHODS.has(request.method) ? files.get(request.url?.split("?", 1)[0] ?? "") : undefined;
    if (file) send(request, response, file);
    return file !== undefined;
  };
}
