import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Handlers } from "#lib/http/route/methods.ts";
import { processState } from "#lib/process-state.ts";

/** Methods whose requests have no body for a route, whatever was sent. */
const WITHOUT_BODY = new Set(["GET", "HEAD"]);

/** Only its path is read. Where a request really went is in the context. */
const ORIGIN = "http://localhost";

/** Aborts when the client is gone before it has its answer. */
function signalOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** The request as a route takes it. */
function toRequest(message: IncomingMessage, response: ServerResponse): Request {
  const { method = "GET", url = "/" } = message;
  const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = WITHOUT_BODY.has(method) ? null : (Readable.toWeb(message) as BodyInit);
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half", signal: signalOf(response) };
  return new Request(new URL(url, ORIGIN), init);
}

/** Sends what a route has answered. Cookies are the one header that there may be several of. */
async function send(answer: Response, response: ServerResponse): Promise<void> {
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const body = answer.body && Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status);
  response.end(body);
}

type Answer = (message: IncomingMessage, response: ServerResponse) => Promise<void>;

/** For a path without dynamic segments; it answers as Next would have the route answer. */
function answerBy(handlers: Handlers): Answer {
  return async (message, response) => {
    const request = toRequest(message, response);
    const handler = handlers[request.method as keyof Handlers];
    const answer = await handler(request, { params: Promise.resolve({}) });
    await send(answer, response);
  };
}

const paths = processState("fast-paths", () => new Map<string, Answer>());

/**
 * What answers a path without the way through Next, which costs a millisecond of processor time: as much as all else that a kept
 * picture takes. For a server that asks before it has Next prepared; without one every path goes through Next.
 */
export function fastPaths(): ReadonlyMap<string, Answer> {
  return paths.get();
}

/** Has a path answered by a route's own handlers as soon as the route is loaded, where the server can do that. @returns them */
export function offerFastPath(path: string, handlers: Handlers): Handlers {
  paths.peek()?.set(path, answerBy(handlers));
  return handlers;
}
