import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "#tests/free-port.ts";
import { startBalancer } from "#tests/postgres/balancer.ts";

/** How long a server that is told to stop serves on, as the comment in the shipped file says. */
function shippedDelayMs(): number {
  const [, delay] = /SERVICE_DRAIN_DELAY_MS=(\d+)/.exec(readFileSync("deploy/nginx.conf", "utf8")) ?? [];
  return Number(delay);
}

/** A server that can come back on its port. */
async function startReplica(port: number) {
  const server = createServer((_, response) => response.end());
  const start = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  await start();
  return { start, stop };
}

it("nginx loses no request while servers restart one right after the other, on the ports that they had", async () => {
  const ports = [await freePort(), await freePort()];
  const [first, second] = await Promise.all([startReplica(ports[0] as number), startReplica(ports[1] as number)]);
  const nginx = await startBalancer(ports);
  onTestFinished(() => nginx.remove());
  const answers: number[] = [];
  const ask = async () => {
    const { status } = await nginx.client.ask("POST", "/api/service/tokens", { body: { name: "script" } });
    answers.push(status);
  };
  const askFor = async (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; ) await ask();
  };
  await askFor(200);
  first.stop();
  await askFor(1_500);
  await first.start();
  await askFor(shippedDelayMs());
  second.stop();
  for (let more = 0; more < 20; more++) await ask();
  expect(new Set(answers)).toEqual(new Set([200]));
});
