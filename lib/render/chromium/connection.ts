import type { CDPSession } from "puppeteer-core/internal/api/CDPSession.js";
import { Connection } from "puppeteer-core/internal/cdp/Connection.js";
import type { ConnectionTransport } from "puppeteer-core/internal/common/ConnectionTransport.js";
import { ProtocolError } from "puppeteer-core/internal/common/Errors.js";
import { abortable } from "#lib/abortable.ts";
import { BrowserLost } from "#lib/render/render-faults.ts";

/** 0 means no time limit in puppeteer-core: AbortSignals end our waits. */
const NO_TIMEOUT_MS = 0;

/** A transport of puppeteer-core that may also report a fault and carry binary values. */
export interface BrowserTransport extends ConnectionTransport {
  /** @param fault why no further message can be read */
  onclose?: (fault?: unknown) => void;
  /** The bytes behind a string that stands for a binary value. Absent where the string is base64. */
  takeBytes?: (key: string) => Buffer | undefined;
}

/** Commands to a browser or to one of its targets. */
export type Commands = {
  /** @throws ProtocolError when the browser refuses, the reason of {@link BrowserConnection.close}, or the signal's reason */
  send: CDPSession["send"];
  /** The bytes of a binary value in an answer. Each value can be read once. */
  bytesOf(value: string): Buffer;
};

/**
 * A connection to one browser. puppeteer-core handles message ids, sessions, pending commands and events.
 *
 * Its class `Connection` comes from `puppeteer-core/internal`, because the public `connect()` loads 37 MB. It also
 * attaches to every target of the browser and resumes it, including targets of other clients. `Connection` sends
 * nothing by itself.
 */
export class BrowserConnection {
  /** The browser itself. Its commands fail with puppeteer-core's own errors. */
  readonly root: Connection;
  readonly #transport: BrowserTransport;
  readonly #closed = Promise.withResolvers<void>();
  #closedBy: Error | undefined;
  #received = 0;
  #awaited = 0;

  constructor(transport: BrowserTransport) {
    this.#transport = transport;
    this.root = new Connection("", transport, 0, NO_TIMEOUT_MS, false, undefined, () => undefined);
    const receive = transport.onmessage;
    // `receive` is async: an error in it would be an unhandled rejection.
    transport.onmessage = async (message) => {
      this.#received++;
      try {
        await receive?.(message);
      } catch (cause) {
        this.#closeFor(cause);
      }
    };
    transport.onclose = (fault) =>
      fault === undefined ? this.close(new BrowserLost("The connection to the browser ended.")) : this.#closeFor(fault);
  }

  /** How many messages the browser has sent. */
  get received(): number {
    return this.#received;
  }

  /** Whether an answer or an event is waited for. */
  get isAwaited(): boolean {
    return this.#awaited > 0;
  }

  /** Waits for an answer, or for an event. */
  async awaiting<T>(answer: Promise<T>): Promise<T> {
    this.#awaited++;
    return await answer.finally(() => this.#awaited--);
  }

  /** Settles when no further command can be sent. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Rejects every pending and later command with `reason`. */
  close(reason: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = reason;
    this.root.dispose();
    this.#closed.resolve();
  }

  /** @throws Error when the browser refuses, or answers without a session */
  async attach(targetId: string): Promise<CDPSession> {
    const { sessionId } = await this.root.send("Target.attachToTarget", { targetId, flatten: true });
    const session = this.root.session(sessionId);
    if (!session) throw new Error("The browser attached to a target without naming the session.");
    return session;
  }

  /** @param signal ends the wait for an answer, not a command that was sent */
  commands(signal?: AbortSignal, target: Pick<CDPSession, "send"> = this.root): Commands {
    const answerTo = async <T>(sent: Promise<T>): Promise<T> => {
      try {
        return await this.awaiting(signal ? abortable(sent, signal) : sent);
      } catch (error) {
        throw error instanceof ProtocolError ? (this.#closedBy ?? error) : error;
      }
    };
    return {
      send: async (method, params) => {
        signal?.throwIfAborted();
        return await answerTo(target.send(method, params));
      },
      bytesOf: (value) => this.#transport.takeBytes?.(value) ?? Buffer.from(value, "base64"),
    };
  }

  #closeFor(cause: unknown): void {
    this.close(new Error("The browser sent a message that is not in the DevTools protocol.", { cause }));
  }
}
