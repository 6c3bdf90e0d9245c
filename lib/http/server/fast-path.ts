import type { IncomingMessage, ServerResponse } from "node:http";
import { finished, type Readable } from "node:stream";
import { ByteLengthQueuingStrategy, ReadableStream, type UnderlyingSource } from "node:stream/web";
import type { Handlers } from "#lib/http/route/methods.ts";
import { processState } from "#lib/process-state.ts";

/** Methods whose requests have no body, whatever the client sent. */
const BODYLESS_METHODS = new Set(["GET", "HEAD"]);

/** Only the path of a request's URL is read. The context has the real host. */
const ORIGIN = "http://localhost";

/** Aborts when the client disconnects before the whole response was sent. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}

/**
 * The body of a message, read as `Readable.toWeb` reads it. That copies each chunk, which takes as long for 12 MB as to parse them.
 * Chunks of a message belong to who reads them.
 */
export function toBody(message: Readable): ReadableStream<Uint8Array> {
  let isCancelled = false;
  const source: UnderlyingSource<Uint8Array> = {
    start(controller) {
      finished(message, { writable: false }, (error) => {
        // A stream may report an error once more after its end.
        message.on("error", () => undefined);
        if (isCancelled) return;
        if (error) controller.error(error);
        else controller.close();
      });
      message.pause();
      message.on("data", (chunk: Uint8Array) => {
        if (!isCancelled) controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
    },
    pull: () => void message.resume(),
    cancel(reason?: Error) {
      isCancelled = true;
      message.destroy(reason);
    },
  };
  return new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: message.readableHighWaterMark }));
}

function toRequest(message: IncomingMessage, response: ServerResponse): Request {
  const { method = "GET", url = "/" } = message;
  const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = BODYLESS_METHODS.has(method) ? null : (toBody(message) as BodyInit);
  const signal = disconnectSignal(response);
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half", signal };
  return new Request(new URL(url, ORIGIN), init);
}

/** Cookies are the only header that may occur more than once. */
async function sendResponse(from: Response, to: ServerResponse): Promise<void> {
  const cookies = from.headers.getSetCookie();
  if (cookies.length > 0) to.setHeader("Set-Cookie", cookies);
  for (const [name, value] of from.headers) if (name !== "set-cookie") to.setHeader(name, value);
  const body = from.body && Buffer.from(await from.arrayBuffer());
  to.writeHead(from.status);
  to.end(body);
}

type RequestListener = (message: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Calls the handlers of a path as Next would, but without the parameters of dynamic segments. */
function toListener(handlers: Handlers): RequestListener {
  return async (message, response) => {
    const request = toRequest(message, response);
    const handler = handlers[request.method as keyof Handlers];
    await sendResponse(await handler(request, { params: Promise.resolve({}) }), response);
  };
}

/** The listeners of the paths that bypass Next. */
class FastPaths {
  readonly #exact = new Map<string, RequestListener>();
  /** By what comes before the first parameter. */
  readonly #prefixed = new Map<string, RequestListener>();

  get size(): number {
    return this.#exact.size + this.#prefixed.size;
  }

  /** @param path may have parameters (`{id}`): then it stands for everything with the same beginning */
  set(path: string, listener: RequestListener): void {
    const [prefix = ""] = path.split("{", 1);
    (prefix === path ? this.#exact : this.#prefixed).set(prefix, listener);
  }

  get(target: string): RequestListener | undefined {
    const exact = this.#exact.get(target);
    if (exact) return exact;
    for (const [prefix, listener] of this.#prefixed) if (target.startsWith(prefix)) return listener;
    return undefined;
  }
}

const paths = processState("fast-paths", () => new FastPaths());

/**
 * The listeners of the paths that bypass Next, which costs 1 ms of processor time per request: as much as all other
 * work for a cached picture. A server calls this before it prepares Next. Under another server no path bypasses Next.
 */
export function fastPaths(): Pick<FastPaths, "get" | "size"> {
  return paths.get();
}

/**
 * Makes a path bypass Next once its route file is loaded, where the server supports that. Handlers of a path with parameters get
 * everything below its fixed beginning, and none of the parameters. @returns `handlers`
 */
export function offerFastPath(path: string, handlers: Handlers): Handlers {
  paths.peek()?.set(path, toListener(handlers));
  return handlers;
}
