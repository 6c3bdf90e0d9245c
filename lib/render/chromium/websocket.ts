import type { Socket } from "node:net";
import { Agent, buildConnector, WebSocket } from "undici";
import { abortable } from "#lib/abortable.ts";
import { CLOSE_TIMEOUT_MS, LAUNCH_TIMEOUT_MS, REMOTE_MESSAGE_BYTES } from "#lib/render/render-limits.ts";
import type { Transport } from "./transport.ts";

export type WebSocketTransport = Transport & {
  /** Settles once the connection has ended, whoever ended it. */
  closed: Promise<void>;
  /** Says goodbye, and cuts the connection when the other side does not within a second. */
  close(): void;
};

/** Where to connect to, and the credential that its address held. */
export type Endpoint = { url: URL; headers: Record<string, string> };

/** An agent whose connections can be cut: WebSockets themselves can only ask for their end. */
function cuttableAgent(): { agent: Agent; cut: () => void } {
  const sockets = new Set<Socket>();
  const connect = buildConnector({ timeout: LAUNCH_TIMEOUT_MS });
  const agent = new Agent({
    webSocket: { maxPayloadSize: REMOTE_MESSAGE_BYTES },
    connect: (options, callback) =>
      connect(options, (...result) => {
        if (result[1]) sockets.add(result[1]);
        callback(...result);
      }),
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    void agent.destroy();
  };
  return { agent, cut };
}

/**
 * Connects to a browser's debugging address. A message above 128 MB ends the connection.
 * @throws Error when it cannot, or the signal's reason
 */
export async function openWebSocket({ url, headers }: Endpoint, signal: AbortSignal): Promise<WebSocketTransport> {
  const { agent, cut } = cuttableAgent();
  const socket = new WebSocket(url, { dispatcher: agent, headers });
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const transport: WebSocketTransport = {
    send: (message) => socket.send(JSON.stringify(message)),
    onMessage: () => undefined,
    onGarbage: () => undefined,
    closed: closed.promise,
    close: () => {
      socket.close();
      setTimeout(cut, CLOSE_TIMEOUT_MS).unref();
    },
  };
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("error", ({ error }) => opened.reject(error ?? new Error("The connection failed.")));
  socket.addEventListener("close", () => {
    cut();
    opened.reject(new Error("The connection was closed."));
    closed.resolve();
  });
  socket.addEventListener("message", ({ data }) => {
    try {
      transport.onMessage(JSON.parse(String(data)));
    } catch (error) {
      transport.onGarbage(error);
    }
  });
  try {
    await abortable(opened.promise, signal);
    return transport;
  } catch (error) {
    cut();
    throw error;
  }
}
