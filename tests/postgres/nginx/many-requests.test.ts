import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { RENDER } from "#tests/e2e/answers.ts";
import { codeOf } from "#tests/e2e/client.ts";
import { type Balancer, exchangeThrough, startBalancer } from "#tests/postgres/balancer.ts";

/** `limit_conn` of `deploy/nginx.conf`. */
const AT_ONCE = 200;

/** More than nginx has connections by default. */
const SLOW = 600;

const OTHER = "127.0.0.2";

let server: Server;
let nginx: Balancer;

beforeAll(async () => {
  // Waits for whole bodies, as Platen does.
  server = createServer(async (request, response) => {
    await request.toArray().catch(() => []);
    response.end("done");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  nginx = await startBalancer([(server.address() as AddressInfo).port]);
});

afterAll(async () => {
  await nginx?.remove();
  server.closeAllConnections();
  server.close();
});

/** Opens a connection of the first client, and sends a request whose body does not arrive. */
async function sendSlow(): Promise<{ refusal: Promise<string>; end: () => void }> {
  const socket = nginx.connect();
  socket.on("error", () => {});
  await once(socket, "secureConnect");
  socket.write(`POST ${RENDER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{`);
  const refusal = once(socket, "data").then(([chunk]) => String(chunk));
  return { refusal, end: () => socket.destroy() };
}

it("slow requests of one client keep no other client out, and those above the limit are told so", async () => {
  const slow = await Promise.all(Array.from({ length: SLOW }, sendSlow));
  const end = () => {
    for (const each of slow) each.end();
  };
  onTestFinished(end);
  let refused = 0;
  for (const { refusal } of slow) void refusal.then((head) => (refused += Number(head.includes(" 429 "))));
  await expect.poll(() => refused).toBe(SLOW - AT_ONCE);

  const other = { ...nginx, connect: () => nginx.connect(OTHER) };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => exchangeThrough(other, "GET /api/service/account HTTP/1.1\nHost: localhost")),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));

  const answer = await nginx.client.ask("GET", "/api/service/account");
  expect([answer.status, codeOf(answer), answer.headers["retry-after"]]).toEqual([429, "rate_limited", "2"]);

  end();
  await expect.poll(async () => (await nginx.client.ask("GET", "/api/service/account")).status).toBe(200);
});
