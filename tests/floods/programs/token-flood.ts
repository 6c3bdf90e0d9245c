import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { createTokenSecret } from "#lib/access/secrets.ts";

/*
 * A thread that renders with invented tokens until it gets a message, and then sends the statuses that it has seen. Each request takes a
 * query.
 */

export type Flood = {
  port: number;
  connections: number;
  /** How many requests were answered 401. */
  answered: Int32Array;
};

/** Another address than the one that signs in. */
const FROM = { host: "127.0.0.1", localAddress: "127.0.0.2" };

const { port, connections, answered } = workerData as Flood;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const statuses = new Set<number | undefined>();
let isOver = false;

async function send(): Promise<void> {
  const sent = request({
    ...FROM,
    agent,
    port,
    method: "POST",
    path: "/api/service/images/render",
    headers: {
      authorization: `Bearer ${createTokenSecret()}`,
      "content-type": "application/json",
      "content-length": 2,
    },
  });
  sent.end("{}");
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  statuses.add(answer.statusCode);
  if (answer.statusCode === 401) Atomics.add(answered, 0, 1);
  await once(answer.resume(), "end");
}

async function sendUntilOver(): Promise<void> {
  while (!isOver) await send();
}

parentPort?.once("message", () => {
  isOver = true;
});
await Promise.all(Array.from({ length: connections }, sendUntilOver));
agent.destroy();
parentPort?.postMessage([...statuses]);
