import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startCaddy } from "#tests/postgres/balancer.ts";

/** How long a server that is told to stop serves on, as the comment in the shipped file says. */
function shippedDelayMs(): number {
  const [, delay] = /SERVICE_DRAIN_DELAY_MS=(\d+)/.exec(readFileSync("deploy/Caddyfile", "utf8")) ?? [];
  return Number(delay);
}

/** A server that is ready until it is told to stop. */
async function startReplica() {
  let isStopping = false;
  const server = createServer((request, response) => {
    if (isStopping && request.url === "/readyz") response.statusCode = 503;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, stop: () => (isStopping = true), close };
}

it("Caddy sends requests only to servers that are ready, so that a restart loses none", async () => {
  const [first, second] = [await startReplica(), await startReplica()];
  const caddy = await startCaddy([first.port, second.port]);
  onTestFinished(() => caddy.remove());
  const ask = async () => (await caddy.client.ask("POST", "/api/service/tokens", { body: { name: "script" } })).status;
  const answers: number[] = [];
  first.stop();
  for (const end = performance.now() + shippedDelayMs(); performance.now() < end; ) answers.push(await ask());
  first.close();
  for (let more = 0; more < 20; more++) answers.push(await ask());
  expect(new Set(answers)).toEqual(new Set([200]));
});
