import { createConnection, type Socket } from "node:net";

const END_OF_HEAD = "\r\n\r\n";

type Flood = {
  port: number;
  /** The whole requests, which are sent in turn. */
  requests: readonly string[];
  onStatus: (status: number) => void;
};

/** The status and the length of the first response in `text`; undefined while it is incomplete. */
function firstResponse(text: string): { status: number; length: number; isLast: boolean } | undefined {
  const head = text.indexOf(END_OF_HEAD);
  if (head < 0) return undefined;
  const bytes = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  const length = head + END_OF_HEAD.length + bytes;
  if (text.length < length) return undefined;
  return { status: Number(text.slice(9, 12)), length, isLast: /^connection: *close/im.test(text.slice(0, head)) };
}

/** A connection that sends the next request as soon as it has a response, and connects again when it is closed. */
export class FloodingConnection {
  readonly #flood: Flood;
  #socket: Socket;
  #received = "";
  #at: number;
  #isOver = false;

  /** @param at the index of the first request */
  constructor(flood: Flood, at: number) {
    this.#flood = flood;
    this.#at = at;
    this.#socket = this.#connect();
  }

  #connect(): Socket {
    this.#received = "";
    const socket = createConnection({ port: this.#flood.port, host: "127.0.0.1", noDelay: true });
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => this.#read(String(chunk)));
    socket.on("error", () => undefined);
    socket.once("close", () => {
      if (!this.#isOver) this.#socket = this.#connect();
    });
    this.#send(socket);
    return socket;
  }

  #send(socket: Socket): void {
    const { requests } = this.#flood;
    socket.write(requests[this.#at++ % requests.length] ?? "");
  }

  #read(chunk: string): void {
    this.#received += chunk;
    const response = firstResponse(this.#received);
    if (!response) return;
    this.#received = this.#received.slice(response.length);
    this.#flood.onStatus(response.status);
    if (!this.#isOver && !response.isLast) this.#send(this.#socket);
  }

  end(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }
}
