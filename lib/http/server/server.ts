import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { addressNetwork } from "#lib/addresses/address-group.ts";
import { bodyBudgetBytes } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import {
  CONNECTION_MARGIN,
  HEADER_LIMIT,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from "#lib/http/http-limits.ts";
import { senderAddress } from "#lib/http/identity/caller.ts";
import { isOverHttps, warnOfSharedAddress } from "#lib/http/identity/entry-point.ts";
import { ANSWER_HEADERS, errorBody, publicError } from "#lib/http/response/answer.ts";
import { isDraining } from "#lib/life-cycle.ts";
import { log } from "#lib/log.ts";
import { compressAtEnd, forgetRouterHeaders, varyIfCompressible } from "./compression.ts";
import { connectionLimit } from "./connections/connection-limit.ts";
import { CountedRequest } from "./connections/counted-request.ts";
import { answerHalfClosed } from "./connections/half-closed.ts";
import { trackClient, trackConnection, trackResponse } from "./connections/open-connections.ts";
import { ignoreRequestsAfter, ignoresRequests, isLastResponse, limitPipelining } from "./connections/pipelining.ts";
import { logRefusal, refuseConnection } from "./connections/refusal.ts";
import { lingerAfterUnreadBody, markUnreadBody } from "./connections/unread-body.ts";
import { countUnread, UnreadResponses } from "./connections/unread-responses.ts";
import { setNoncePolicy } from "./content-security-policy.ts";
import { admit, copyReceived, hasBody, PAGE_METHODS, requireFewHeaders } from "./head.ts";
import { newRequestId, type RequestContext, runInRequestContext } from "./request-context.ts";
import { noteRequest } from "./request-metrics.ts";
import { traceRequest } from "./request-trace.ts";
import { bufferUntilEnd, sendBytesAtEnd, settleAtClose } from "./response-buffer.ts";
import { limitSending } from "./response-limits.ts";

/** Handles every request that the server accepts: Next's request handler, or a test's. */
export type Application = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Pages copy to the clipboard. They use no other feature that a browser asks people about. */
const PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/** One year. Subdomains are not this service's to decide about. */
const TRANSPORT_SECURITY = "max-age=31536000";

/** Waits for the turn of a request. @returns false when the client has disconnected meanwhile @throws AppError when too many wait */
type TakeTurn = (response: ServerResponse) => Promise<boolean>;

type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  context: RequestContext;
  server: Server;
  unread: UnreadResponses;
  takeTurn: TakeTurn;
};

function completeHead({ request, response, context, server }: Exchange): void {
  const defaults: Record<string, string | undefined> = {
    "X-Request-Id": context.requestId,
    "X-Content-Type-Options": ANSWER_HEADERS["X-Content-Type-Options"],
    "Referrer-Policy": ANSWER_HEADERS["Referrer-Policy"],
    "X-Frame-Options": "DENY",
    "Permissions-Policy": PERMISSIONS_POLICY,
    ...(context.received && isOverHttps(context.received) && { "Strict-Transport-Security": TRANSPORT_SECURITY }),
  };
  for (const [name, value = ""] of Object.entries(defaults))
    if (!response.hasHeader(name)) response.setHeader(name, value);
  if (context.nonce !== undefined) setNoncePolicy(response, context.nonce);
  for (const [name, value] of Object.entries(context.pageError?.headers ?? {})) response.setHeader(name, value);
  if (context.contentLength !== undefined) response.setHeader("Content-Length", context.contentLength);
  const isUnread = !request.complete && hasBody(request);
  if (isUnread) markUnreadBody(request.socket);
  // Later requests on this connection (pipelining) were accepted, and closing it would cut off their responses.
  const isStopping = (isDraining() || !server.listening) && isLastResponse(request.socket);
  const isHalfClosed = request.socket.readableEnded && isLastResponse(request.socket);
  if (isUnread || isStopping || isHalfClosed) response.setHeader("Connection", "close");
}

/** The status of a response. Next responds 500 to a range that its file does not have. */
function plainStatus(status: number, response: ServerResponse): number {
  return status === 500 && String(response.getHeader("Content-Range")).startsWith("bytes */") ? 416 : status;
}

/** Completes the headers when all others are known. Every response calls `writeHead` last. */
function completeHeadOnWrite(exchange: Exchange): void {
  const { response, context } = exchange;
  const writeHead = response.writeHead;
  response.writeHead = function writeCompleteHead(status: number, ...rest: unknown[]) {
    response.writeHead = writeHead;
    completeHead(exchange);
    forgetRouterHeaders(response);
    if (status === 200) varyIfCompressible(response);
    limitSending({ ...exchange, inMemory: context.contentLength !== undefined });
    // Next responds 200 with a page that shows an error.
    return Reflect.apply(writeHead, response, [plainStatus(context.pageError?.status ?? status, response), ...rest]);
  } as typeof writeHead;
}

function refuse({ request, response, context }: Exchange, error: AppError): void {
  ignoreRequestsAfter(error, request.socket);
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

/**
 * {@link admit}, whose refusals wait for their turn. The client of a request that is refused at once sends the next one at once: a
 * thousand such connections held each round of the event loop for seconds.
 * @returns false when the client has disconnected meanwhile
 */
async function admitInTurn({ request, response, context, takeTurn }: Exchange): Promise<boolean> {
  try {
    admit(request, context);
    return true;
  } catch (error) {
    ignoreRequestsAfter(error, request.socket);
    if (!(await runInRequestContext(context, () => takeTurn(response)))) return false;
    throw error;
  }
}

async function handleRequest(application: Application, exchange: Exchange): Promise<void> {
  const { request, response, context, unread } = exchange;
  trackResponse(request.socket, response);
  noteRequest(request, response);
  settleAtClose(response);
  completeHeadOnWrite(exchange);
  countUnread(response, unread);
  compressAtEnd(response, context);
  // It passes its bytes to `compressAtEnd`, so it comes second.
  sendBytesAtEnd(response, context);
  try {
    limitPipelining(request.socket);
    requireFewHeaders(request);
    context.received = copyReceived(request);
    warnOfSharedAddress(context.received);
    trackClient(request.socket, addressNetwork(senderAddress(context.received)));
    if (!(await admitInTurn(exchange))) return;
    if (request.headers.rsc !== undefined) bufferUntilEnd(response);
    await traceRequest(exchange, () => runInRequestContext(context, () => application(request, response)));
  } catch (error) {
    if (!(error instanceof AppError)) log().error({ requestId: context.requestId, err: error }, "failed");
    refuse(exchange, publicError(error));
  }
}

const PARSER_MESSAGES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
  HPE_HEADER_OVERFLOW: `The headers of the request are larger than 16 KiB, or more than ${HEADER_LIMIT}, which are the limits.`,
};

/** Responds to bytes that are not an HTTP request. */
export function refuseParserError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET") return void socket.destroy();
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const message = PARSER_MESSAGES[error.code ?? ""] ?? "The request is not valid HTTP.";
  refuseConnection(socket, new AppError(isLate ? "request_timeout" : "invalid_request", message));
}

/** How many connections may be open, how many bytes of responses may wait for clients to read them, and when a refusal is sent. */
export type ServerOptions = { connections?: number; unreadBytes?: number; takeTurn?: TakeTurn };

/** An HTTP server around an application. It limits time and connections, and refuses what is not a plain request. */
export function createHttpServer(application: Application, given: ServerOptions = {}): Server {
  const { connections = connectionLimit(), unreadBytes = bodyBudgetBytes(), takeTurn = async () => true } = given;
  const unread = new UnreadResponses(unreadBytes);
  const options = {
    IncomingMessage: CountedRequest,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node would drop a second Authorization or Content-Type. Joined to the first, it makes the header invalid.
    joinDuplicateHeaders: true,
    // Node would respond to a request without Host by itself, without a body. `admit` refuses it.
    requireHostHeader: false,
    shouldUpgradeCallback: () => false,
  };
  const accept = (request: IncomingMessage, response: ServerResponse, extra: Partial<RequestContext> = {}) => {
    if (ignoresRequests(request.socket)) return;
    const context: RequestContext = { requestId: newRequestId(), method: request.method ?? "", ...extra };
    void handleRequest(application, { request, response, context, server, unread, takeTurn });
  };
  const server = createServer(options, (request, response) => accept(request, response));
  // Node refuses those beyond it. Below it, an idle connection gives way to a new one.
  server.maxConnections = connections + CONNECTION_MARGIN;
  server.on("connection", (socket) => trackConnection(socket, connections));
  server.on("connection", lingerAfterUnreadBody);
  // Otherwise Node ends the requests of a connection whose client has closed its writing side.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", answerHalfClosed);
  server.on("checkExpectation", (request, response) => accept(request, response));
  // The client sends its body only when a route reads it, so that a request refused for its head costs no body.
  server.on("checkContinue", (request, response) =>
    accept(request, response, { sendContinue: () => response.writeContinue() }),
  );
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    const headers = { Allow: [...PAGE_METHODS].join(", ") };
    refuseConnection(
      socket,
      new AppError("method_not_allowed", "CONNECT is not supported: this server is not a proxy.", { headers }),
    );
  });
  server.on("clientError", refuseParserError);
  return server;
}
