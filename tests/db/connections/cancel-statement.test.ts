import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { cancelStatement } from "#lib/db/cancel-statement.ts";
import { OPEN_CANCELS } from "#lib/db/database-limits.ts";

/** A server that takes what it is asked, and does nothing. */
async function standStill() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.resume())).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.end();
    await once(server.close(), "close");
  });
  const { port } = server.address() as AddressInfo;
  const cancel = () => cancelStatement({ host: ["127.0.0.1"], port: [port], path: false }, { pid: 1, secret: 2 });
  return { sockets, cancel };
}

it("a cancel request does not disconnect before the server, which may stand still behind a PgBouncer", async () => {
  const { sockets, cancel } = await standStill();
  await cancel();
  expect(sockets.map(({ bytesRead, readableEnded }) => ({ bytesRead, readableEnded }))).toEqual([
    { bytesRead: 16, readableEnded: false },
  ]);
});

it("a server that stands still for long is asked to cancel a few statements, and again once it goes on", async () => {
  const { sockets, cancel } = await standStill();
  await Promise.all(Array.from({ length: OPEN_CANCELS + 3 }, cancel));
  await cancel();
  expect(sockets).toHaveLength(OPEN_CANCELS);
  const [first] = sockets;
  first?.end();
  await once(first as Socket, "close");
  await cancel();
  expect(sockets).toHaveLength(OPEN_CANCELS + 1);
});
