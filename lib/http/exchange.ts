import { AsyncLocalStorage } from "node:async_hooks";

/** What the server around Next and the route inside it tell each other about one request. */
export type Exchange = {
  requestId: string;
  /** The method that was sent, where Next had to be told another. */
  method: string;
  /** Tells a client that waits for it (`Expect: 100-continue`) to send the body; absent where none waits. */
  inviteBody?: () => void;
  /** Set by the route, in bytes. Next drops the `Content-Length` of a route's `Response`; the server puts it back. */
  contentLength?: number;
};

const KEY = Symbol.for("platen.exchange");

/** Kept on `globalThis` because Next bundles its own copy of this module into the routes. */
const shared = globalThis as { [KEY]?: AsyncLocalStorage<Exchange> };

function storage(): AsyncLocalStorage<Exchange> {
  shared[KEY] ??= new AsyncLocalStorage<Exchange>();
  return shared[KEY];
}

/** Runs the handling of one request so that {@link currentExchange} finds it. */
export function withExchange<T>(exchange: Exchange, act: () => T): T {
  return storage().run(exchange, act);
}

/** The exchange of the running request; absent under a server that is not ours, and in calls from inside the process. */
export function currentExchange(): Exchange | undefined {
  return storage().getStore();
}
