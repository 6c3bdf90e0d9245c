import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { cancelStatement } from "#lib/db/cancel-statement.ts";
import { OPEN_CANCELS } from "#lib/db/database-limits.ts";

/** A server that takes what it is asked, and does nothing unless it goes on. */
async function standStill({ isStill = true } = {}) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", () => isStill || socket.end());
  }).listen(0, "127.0.0.1");
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

it("a server that stands still for long is asked to cancel a few statements only", async () => {
  const { sockets, cancel } = await standStill();
  await Promise.all(Array.from({ length: OPEN_CANCELS + 3 }, cancel));
  expect(sockets).toHaveLength(OPEN_CANCELS);
});

it("a server that goes on is asked to cancel all statements", async () => {
  const { sockets, cancel } = await standStill({ isStill: false });
  await Promise.all(Array.from({ length: 3 * OPEN_CANCELS }, cancel));
  expect(sockets).toHaveLength(3 * OPEN_CANCELS);
});
