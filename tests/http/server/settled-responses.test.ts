import type { ServerResponse } from "node:http";
import { pipeToNodeResponse } from "next/dist/server/pipe-readable.js";
import { expect, it, onTestFinished } from "vitest";
import { PIPELINED_LIMIT } from "#lib/http/http-limits.ts";
import { get, serve, serveApplication } from "./served.ts";

/** As Next waits for the end of a response. */
const finished = (response: ServerResponse) => new Promise<void>((resolve) => void response.once("finish", resolve));

/** Sends two requests on one connection. */
async function pipelined() {
  const { connection, answers } = await serve();
  connection.send(`${get("/api/first")}${get("/api/second")}`);
  await expect.poll(() => answers.size).toBe(2);
  const [first, second] = [answers.get("/api/first"), answers.get("/api/second")] as [ServerResponse, ServerResponse];
  return { connection, first, second };
}

it("a response that waits for its turn is over for Next when its client disconnects", async () => {
  const { connection, second } = await pipelined();
  const over = finished(second);
  second.end("second");
  connection.socket.resetAndDestroy();
  await over;
  expect(second.writableFinished).toBe(false);
  // One that Next begins to wait for only now.
  await finished(second);
});

it("a response that was sent is over once, and leaves no listener on its connection", async () => {
  const { connection, first, second } = await pipelined();
  const { socket } = first.req;
  const before = socket.listenerCount("close");
  let ends = 0;
  for (const response of [first, second]) response.once("finish", () => void ends++);
  first.end("first");
  second.end("second");
  await expect.poll(() => connection.text).toContain("second");
  expect(socket.listenerCount("close")).toBeLessThanOrEqual(before);
  connection.socket.destroy();
  expect(ends).toBe(2);
});

it("as many responses as may wait on a connection are no leak to Node", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const { connection, answers } = await serve();
  connection.send(Array.from({ length: PIPELINED_LIMIT }, (_, at) => get(`/api/${at}`)).join(""));
  await expect.poll(() => answers.size).toBe(PIPELINED_LIMIT);
  const over = Array.from(answers.values(), finished);
  for (const response of answers.values()) response.end("x");
  await Promise.all(over);
  expect(warnings).toEqual([]);
});

it("Next does not wait for the end of a response whose client is gone", async () => {
  const ended = Promise.withResolvers<void>();
  const { connection } = await serveApplication(async ({ url }, response) => {
    // It is never answered, so the response behind it waits for its turn.
    if (url === "/api/first") return;
    const sent = pipeToNodeResponse(new Blob(["second"]).stream(), response);
    await expect.poll(() => response.writableEnded).toBe(true);
    connection.socket.resetAndDestroy();
    ended.resolve(sent);
  });
  connection.send(`${get("/api/first")}${get("/api/second")}`);
  await ended.promise;
});
