import { AsyncLocalStorage } from "node:async_hooks";
import type { AppError } from "#lib/errors.ts";
import { processState } from "#lib/process-state.ts";

/** A request as it came in, before Next fills in forwarding headers of its own. */
export type Arrival = {
  headers: Headers;
  /** Of the other end of the connection: a proxy where there is one. Absent under a server that is not ours. */
  address?: string;
  /** Whether the connection itself is encrypted. */
  encrypted: boolean;
};

/** What the server around Next and the route inside it tell each other about one request. */
export type RequestContext = {
  requestId: string;
  /** The method that was sent, where Next had to be told another. */
  method: string;
  /** The path that was asked for, without its query, as the log may have it. */
  path?: string;
  arrival?: Arrival;
  /**
   * Present in calls from inside the process, which are no requests: what asks is answered, and that is what is logged and
   * counted. It takes what the route has thrown.
   */
  inner?: { thrown?: unknown };
  /** Why a page says that it cannot be shown; the server answers it with the status and the headers of that. */
  refusal?: AppError;
  /** Tells a client that waits for it (`Expect: 100-continue`) to send the body; absent where none waits. */
  inviteBody?: () => void;
  /** What the scripts of a page carry; absent for routes. */
  nonce?: string;
  /** Set by the route, in bytes. Next drops the `Content-Length` of a route's `Response`; the server puts it back. */
  contentLength?: number;
  /** Takes a body that is to be sent as it is; absent where there is no server of ours to send it. See {@link bytesResponse}. */
  sendBytes?: (bytes: Uint8Array | undefined) => void;
};

const storage = processState("request-context", () => new AsyncLocalStorage<RequestContext>());

/** Runs the handling of one request so that {@link currentRequestContext} finds it. */
export function runInRequestContext<T>(context: RequestContext, act: () => T): T {
  return storage.get().run(context, act);
}

/** The context of the running request; absent under a server that is not ours, and in calls from inside the process. */
export function currentRequestContext(): RequestContext | undefined {
  return storage.get().getStore();
}

/** How a request came in. Under a server that is not ours, what Next says of it is all that is known. */
export function arrivalOf(request: Request): Arrival {
  const arrival = currentRequestContext()?.arrival;
  return arrival ?? { headers: request.headers, encrypted: new URL(request.url).protocol === "https:" };
}
