import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { cancelStatement } from "#lib/db/cancel-statement.ts";
import { CANCEL_PROOF_MS, OPEN_CANCELS } from "#lib/db/database-limits.ts";

/** A server that takes what it is asked, and does nothing after it has answered so many requests. */
async function standStill({ afterAnswers = 0 } = {}) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const isStill = sockets.push(socket) > afterAnswers;
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

it("a server that stands still is asked to cancel one statement only", async () => {
  const later = vi.spyOn(performance, "now").mockReturnValue(performance.now() + CANCEL_PROOF_MS);
  onTestFinished(() => later.mockRestore());
  const { sockets, cancel } = await standStill();
  await Promise.all(Array.from({ length: 3 }, cancel));
  await cancel();
  expect(sockets).toHaveLength(1);
});

it("a server that has just answered and stands still for long is asked to cancel a few statements only", async () => {
  const { sockets, cancel } = await standStill({ afterAnswers: 1 });
  await cancel();
  await Promise.all(Array.from({ length: OPEN_CANCELS + 3 }, cancel));
  expect(sockets).toHaveLength(1 + OPEN_CANCELS);
});

it("a server that goes on is asked to cancel all statements", async () => {
  const { sockets, cancel } = await standStill({ afterAnswers: 3 * OPEN_CANCELS });
  await Promise.all(Array.from({ length: 3 * OPEN_CANCELS }, cancel));
  expect(sockets).toHaveLength(3 * OPEN_CANCELS);
});
