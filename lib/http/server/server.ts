import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { AppError } from "#lib/errors.ts";
import {
  CONNECTION_LIMIT,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from "#lib/http/http-limits.ts";
import { ANSWER_HEADERS, errorBody, publicError } from "#lib/http/response/answer.ts";
import { requirePlainPath } from "#lib/http/route/path.ts";
import { log } from "#lib/log.ts";
import { dropPartHeaders, requirePlainHead } from "./head.ts";
import { loggedPath } from "./logged-path.ts";
import { narrowPolicy, offerNonce } from "./page-policy.ts";
import { type Arrival, type RequestContext, runInRequestContext } from "./request-context.ts";
import { newRequestId } from "./request-id.ts";
import { noteRequest } from "./request-metrics.ts";
import { holdPart, takeBytes } from "./response-buffer.ts";
import {
  answerParserFault,
  answerSocket,
  isLastAnswer,
  lingerAfterUnread,
  lingerOn,
  logRefusal,
  noteAnswer,
  noteConnection,
} from "./socket.ts";

/** Answers what is left to answer: Next's request handler, or any other. */
export type Application = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const ROUTED_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const PAGE_METHODS = new Set(["GET", "HEAD"]);

/** Where routes answer every method by themselves; everything else is pages and files, which are only read. */
const ROUTES = /^\/(?:(?:api|healthz|readyz|metrics)(?:[/?]|$)|(?:llms\.txt|docs(?:\/[^?]+)?\.md)(?:\?|$))/;

function isBodyOnItsWay(request: IncomingMessage): boolean {
  const length = Number(request.headers["content-length"] ?? 0);
  return !request.complete && (length > 0 || request.headers["transfer-encoding"] !== undefined);
}

type Visit = { request: IncomingMessage; response: ServerResponse; context: RequestContext; server: Server };

function completeHead({ request, response, context, server }: Visit): void {
  const defaults = {
    "X-Request-Id": context.requestId,
    ...pick("X-Content-Type-Options"),
    ...pick("Referrer-Policy"),
  };
  for (const [name, value] of Object.entries(defaults)) if (!response.hasHeader(name)) response.setHeader(name, value);
  if (context.nonce !== undefined) narrowPolicy(response, context.nonce);
  for (const [name, value] of Object.entries(context.refusal?.headers ?? {})) response.setHeader(name, value);
  if (context.contentLength !== undefined) response.setHeader("Content-Length", context.contentLength);
  const isUnread = isBodyOnItsWay(request);
  if (isUnread) lingerOn(request.socket);
  // Closing cuts off the answers behind this one, which are owed to requests that were accepted.
  const isStopping = !server.listening && isLastAnswer(request.socket);
  if (isUnread || isStopping) response.setHeader("Connection", "close");
}

function pick(name: string): Record<string, string> {
  return { [name]: ANSWER_HEADERS[name] ?? "" };
}

/** Headers can only be completed when all others are known: whoever answers ends in `writeHead`. */
function completeHeadOnWrite(visit: Visit): void {
  const { response, context } = visit;
  const writeHead = response.writeHead;
  response.writeHead = function completed(status: number, ...rest: unknown[]) {
    response.writeHead = writeHead;
    completeHead(visit);
    // A page that says that it cannot be shown is one that Next has made well.
    return Reflect.apply(writeHead, response, [context.refusal?.status ?? status, ...rest]);
  } as typeof writeHead;
}

function refuse({ response, context }: Visit, error: AppError): void {
  const body = JSON.stringify(errorBody(error, context.requestId));
  logRefusal(context.requestId, error);
  if (response.headersSent) return void response.destroy();
  response.writeHead(error.status, {
    ...ANSWER_HEADERS,
    ...error.headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}

/** Taken before anything is renamed or filled in: what a request is trusted with hangs on what was really sent. */
function arrivalOf({ headers, socket }: IncomingMessage): Arrival {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const { remoteAddress: address } = socket;
  return {
    headers: new Headers(entries),
    encrypted: socket instanceof TLSSocket,
    ...(address !== undefined && { address }),
  };
}

/** Refuses what Next would answer in its own words, and renames what it would not understand. @throws AppError */
function admit(request: IncomingMessage, context: RequestContext): void {
  requirePlainHead(request);
  request.headers.host ??= "localhost";
  request.url = requirePlainPath(request.url ?? "");
  context.path = loggedPath(request.url.split("?", 1)[0] ?? "");
  if (!ROUTES.test(request.url) && !PAGE_METHODS.has(context.method)) {
    const headers = { Allow: [...PAGE_METHODS].join(", ") };
    throw new AppError("method_not_allowed", "This method is not allowed here, want GET or HEAD.", { headers });
  }
  if (ROUTES.test(request.url)) dropPartHeaders(request);
  else context.nonce = offerNonce(request);
  // No route allows OPTIONS, so that its answer is right for a method that has no handler at all.
  if (!ROUTED_METHODS.has(context.method)) request.method = "OPTIONS";
}

async function visit(application: Application, visited: Visit): Promise<void> {
  const { request, response, context } = visited;
  noteAnswer(request.socket, response);
  noteRequest(request, response);
  completeHeadOnWrite(visited);
  takeBytes(response, context);
  try {
    context.arrival = arrivalOf(request);
    admit(request, context);
    if (request.headers.rsc !== undefined) holdPart(response);
    await runInRequestContext(context, () => application(request, response));
  } catch (error) {
    if (!(error instanceof AppError)) log().error({ requestId: context.requestId, err: error }, "failed");
    refuse(visited, publicError(error));
  }
}

/** A Node server around an application: bounded in time and connections, with our answer to whatever is no plain request. */
export function createHttpServer(application: Application): Server {
  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A second Authorization or Content-Type must not vanish: joined, it is refused for what it is.
    joinDuplicateHeaders: true,
    // Without a Host Node answers by itself, in no shape of ours.
    requireHostHeader: false,
    shouldUpgradeCallback: () => false,
  };
  const accept = (request: IncomingMessage, response: ServerResponse, extra: Partial<RequestContext> = {}) => {
    const context: RequestContext = { requestId: newRequestId(), method: request.method ?? "", ...extra };
    void visit(application, { request, response, context, server });
  };
  const server = createServer(options, (request, response) => accept(request, response));
  server.maxConnections = CONNECTION_LIMIT;
  server.on("connection", noteConnection);
  server.on("connection", lingerAfterUnread);
  server.on("checkExpectation", (request, response) => accept(request, response));
  // Not before a route reads: what is refused for its head alone must not be sent for nothing.
  server.on("checkContinue", (request, response) =>
    accept(request, response, { inviteBody: () => response.writeContinue() }),
  );
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    const headers = { Allow: [...PAGE_METHODS].join(", ") };
    answerSocket(socket, new AppError("method_not_allowed", "This is not a proxy.", { headers }));
  });
  server.on("clientError", answerParserFault);
  return server;
}
