import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { host, NAME, remoteOf } from "./remote-server.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const BODY = `${OK}Content-Length: 100\r\n\r\n`;
const CHUNKS = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const MOVED = "HTTP/1.1 302 Found\r\nLocation: /moved\r\n";

/** What a server has sent when it closes the connection. An answer with a `|` is sent in two packets. */
const PHASES: [phase: string, sent: string][] = [
  ["before anything", ""],
  ["in the status line", "HTTP/1.1 20"],
  ["in the headers", OK],
  ["after a provisional answer", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"],
  ["after it has switched protocols", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc"],
  ["before the body", BODY],
  ["in the body", `${BODY}|abc`],
  ["in a chunk", `${CHUNKS}|5\r\nab`],
  ["before the last chunk", `${CHUNKS}|2\r\nab\r\n`],
  ["after a wrong chunk", `${CHUNKS}|zz\r\n`],
  ["in the body of an error", "HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\n|abc"],
  ["in the body of a redirect", `${MOVED}Content-Length: 100\r\n\r\n|abc`],
  ["in a wrong chunk of a redirect", `${MOVED}Transfer-Encoding: chunked\r\n\r\n|zz\r\n`],
  ["in a body beyond the limit", `${OK}Content-Length: 100000000\r\n\r\n|abc`],
  ["in a compressed body", `${OK}Content-Encoding: gzip\r\nContent-Length: 100\r\n\r\n|abc`],
  ["after the image, with more bytes than it said", `${OK}Content-Length: 3\r\n\r\nabc|more`],
  ["after the image, with another answer", `${OK}Content-Length: 3\r\n\r\nabc${BODY}`],
];

const CLOSE: Record<string, (socket: Socket) => void> = {
  ends: (socket) => socket.end(),
  resets: (socket) => void socket.resetAndDestroy(),
};

/** What the next connection gets. */
let reply: (socket: Socket) => void;

const server = createServer((socket) => {
  socket.on("error", () => undefined).once("data", () => reply(socket));
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => void server.close());

function sendAndClose(sent: string, close: (socket: Socket) => void): (socket: Socket) => void {
  const [first = "", second] = sent.split("|");
  return (socket) => {
    if (second === undefined) return void socket.write(first, () => close(socket));
    socket.setNoDelay().write(first, () => setImmediate(() => socket.write(second, () => close(socket))));
  };
}

const cases = PHASES.flatMap(([phase, sent]) => Object.keys(CLOSE).map((how) => [how, phase, sent] as const));

// An error that nobody listens to would end the service. Here it ends the test run.
it.each(cases)("a server that %s the connection %s costs its own image only", async (how, _phase, sent) => {
  const { port } = server.address() as AddressInfo;
  reply = sendAndClose(sent, CLOSE[how] as (socket: Socket) => void);
  const answer = await fetchImage(`http://${NAME}:${port}/`, remoteOf([host(NAME, { port, isPrivate: true })]));
  if ("fault" in answer)
    expect(answer).toMatchObject({ fault: expect.stringMatching(/^The server/), isServerFault: true });
  else expect(answer.bytes.toString()).toBe("abc");
});
