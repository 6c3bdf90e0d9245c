import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.d.ts";
import { z } from "zod";
import type { Transport } from "./transport.ts";

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
type Pending = { method: string; resolve: (result: unknown) => void; reject: (error: Error) => void };
type Listener = (params: unknown) => void;

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/** The browser refused a command. `code` is JSON-RPC's; -32601 means that it does not know the command. */
export class CdpError extends Error {
  override name = "CdpError";
  readonly code: number;

  constructor(method: string, { code, message: reason }: { code: number; message: string }) {
    super(`${method}: ${reason}`);
    this.code = code;
  }
}

/** The DevTools protocol: commands with answers, and events, of a browser and its targets. */
export class CdpConnection {
  readonly #transport: Transport;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #closed = Promise.withResolvers<void>();
  #lastId = 0;
  #closedBy: Error | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.onMessage = (received) => this.#dispatch(received);
    transport.onGarbage = (cause) =>
      this.close(new Error("The browser sent what is not the DevTools protocol.", { cause }));
  }

  /** The browser itself. */
  get root(): CdpSession {
    return new CdpSession({ connection: this });
  }

  /** One target, attached to with `flatten: true`. */
  session(sessionId: string): CdpSession {
    return new CdpSession({ connection: this, sessionId });
  }

  /** Settles when nothing more can be asked. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Rejects every pending and later command with `reason`. */
  close(reason: Error): void {
    this.#closedBy ??= reason;
    this.#closed.resolve();
    for (const { reject } of this.#pending.values()) reject(this.#closedBy);
    this.#pending.clear();
  }

  /** @throws CdpError, the reason of {@link close}, or the signal's reason */
  request(envelope: { method: string; params: unknown; sessionId?: string }, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closedBy) return reject(this.#closedBy);
      if (signal?.aborted) return reject(signal.reason);
      const id = ++this.#lastId;
      const onAbort = () => {
        this.#pending.delete(id);
        reject(signal?.reason);
      };
      const settle = () => signal?.removeEventListener("abort", onAbort);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, {
        method: envelope.method,
        resolve: (result) => {
          settle();
          resolve(result);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#transport.send({ id, ...envelope });
    });
  }

  /** @returns how to stop listening */
  listen({ method, sessionId = "" }: { method: string; sessionId?: string }, listener: Listener): () => void {
    const key = `${sessionId} ${method}`;
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #dispatch(received: unknown): void {
    if (this.#closedBy) return;
    const { id, method, sessionId = "", params, result, error } = message.parse(received);
    if (method !== undefined)
      for (const listener of this.#listeners.get(`${sessionId} ${method}`) ?? []) listener(params);
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || pending === undefined) return;
    this.#pending.delete(id);
    if (error) pending.reject(new CdpError(pending.method, error));
    else pending.resolve(result);
  }
}

/** Typed commands and events of one target. */
export class CdpSession {
  readonly #connection: CdpConnection;
  readonly #sessionId: string | undefined;
  readonly #signal: AbortSignal | undefined;

  constructor(options: { connection: CdpConnection; sessionId?: string | undefined; signal?: AbortSignal }) {
    this.#connection = options.connection;
    this.#sessionId = options.sessionId;
    this.#signal = options.signal;
  }

  /** The same session, whose commands stop waiting when `signal` aborts. */
  until(signal: AbortSignal): CdpSession {
    return new CdpSession({ connection: this.#connection, sessionId: this.#sessionId, signal });
  }

  /** @throws CdpError when the browser refuses, the reason why the connection ended, or the signal's reason */
  async send<M extends keyof Commands>(
    method: M,
    ...[params]: Commands[M]["paramsType"]
  ): Promise<Commands[M]["returnType"]> {
    const session = this.#sessionId === undefined ? {} : { sessionId: this.#sessionId };
    const result = await this.#connection.request({ method, params: params ?? {}, ...session }, this.#signal);
    // The browser is the authority on its own answers; their types come from its protocol description.
    return result as Commands[M]["returnType"];
  }

  /** @returns how to stop listening */
  on<E extends keyof Events>(method: E, listener: (params: Events[E][0]) => void): () => void {
    const session = this.#sessionId === undefined ? {} : { sessionId: this.#sessionId };
    return this.#connection.listen({ method, ...session }, (params) => listener(params as Events[E][0]));
  }
}
