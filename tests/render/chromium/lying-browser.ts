import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** RFC 6455, 1.3. */
const ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

const FINAL_TEXT = 0x81;

/** A text message. With `claimedBytes` its head announces another length. */
function frame(text: string, claimedBytes = Buffer.byteLength(text)): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt8(FINAL_TEXT, 0);
  head.writeUInt8(127, 1);
  head.writeBigUInt64BE(BigInt(claimedBytes), 2);
  return Buffer.concat([head, Buffer.from(text)]);
}

const CLOSE = 8;

/** The first message of a client, which is masked and at most 64 KB long here, and the bytes after it. Undefined until it is complete. */
function unmask(received: Buffer): { text: string; rest: Buffer } | undefined {
  if (received.length < 4) return undefined;
  const short = received.readUInt8(1) & 0x7f;
  const isLong = short === 126;
  const length = isLong ? received.readUInt16BE(2) : short;
  const start = (isLong ? 4 : 2) + 4;
  if (received.length < start + length) return undefined;
  const mask = received.subarray(start - 4, start);
  const body = received.subarray(start, start + length).map((byte, index) => byte ^ mask.readUInt8(index % 4));
  return { text: Buffer.from(body).toString(), rest: received.subarray(start + length) };
}

export type Lies = {
  /** Answers by command, in addition to those that let a page be opened. */
  results: Record<string, unknown>;
  /** From this command on, a connection gets no more answers. */
  silentOn?: string | undefined;
  /** A message that is sent once, instead of the answer to a command. */
  instead?: { method: string; text: string } | undefined;
  /** The answer to this command is announced as 1 GB. */
  floodOn?: string;
};

const HONEST: Record<string, unknown> = {
  "Target.createBrowserContext": { browserContextId: "context" },
  "Target.createTarget": { targetId: "page" },
  "Target.attachToTarget": { sessionId: "session" },
  "Page.captureScreenshot": { data: "" },
  "Page.navigate": { loaderId: "document" },
  "Runtime.evaluate": { result: { type: "boolean", value: true } },
};

/** A browser sends this before its answer; puppeteer-core makes the session from it. */
const ATTACHED = {
  method: "Target.attachedToTarget",
  params: { sessionId: "session", targetInfo: { targetId: "page", type: "page" }, waitingForDebugger: false },
};

/** A browser tells of each new document of a page. */
const NAVIGATED = {
  method: "Page.frameNavigated",
  sessionId: "session",
  params: { frame: { id: "page", loaderId: "document" } },
};

const silent = new WeakSet<Duplex>();

function answer(socket: Duplex, text: string, lies: Lies): void {
  const { results, silentOn, instead, floodOn } = lies;
  const { id, method, sessionId } = JSON.parse(text);
  if (method === silentOn) silent.add(socket);
  if (silent.has(socket)) return;
  if (instead && method === instead.method) {
    lies.instead = undefined;
    return void socket.write(frame(instead.text));
  }
  if (method === "Target.attachToTarget") socket.write(frame(JSON.stringify(ATTACHED)));
  if (method === "Page.navigate") socket.write(frame(JSON.stringify(NAVIGATED)));
  const result = { ...HONEST, ...results }[method] ?? {};
  socket.write(frame(JSON.stringify({ id, sessionId, result }), method === floodOn ? 2 ** 30 : undefined));
}

/** A server that accepts connections as a browser would, and gives the answers that a test chooses. */
export async function startLyingBrowser(lies: Lies) {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(404).end());
  server.on("upgrade", (request, socket) => {
    requests.push(request);
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => sockets.delete(socket));
    const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${ACCEPT_GUID}`).digest("base64");
    const head = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, "", ""].join("\r\n"));
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let next = unmask(received); next; next = unmask(received)) {
        const isClosing = (received.readUInt8(0) & 0x0f) === CLOSE;
        received = Buffer.from(next.rest);
        if (!isClosing) answer(socket, next.text, lies);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, lies, requests, sockets, close };
}
