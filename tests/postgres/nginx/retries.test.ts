import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { RENDER } from "#tests/e2e/answers.ts";
import { codeOf } from "#tests/e2e/client.ts";
import { freePort } from "#tests/free-port.ts";
import { type Balancer, startBalancer } from "#tests/postgres/balancer.ts";

/** nginx leaves a server alone for a second after each lost request, so there are more than are lost. */
const REPLICAS = 8;

/** A little more than `fail_timeout`, in milliseconds. */
const LEFT_ALONE_MS = 1_100;

let replicas: Server[];
let nginx: Balancer;
/** The requests that reached a replica, by path. */
const deliveries = new Map<string, number>();

/** Loses the first delivery of each path, after it has read the request, as a server that is killed does. */
async function startReplica(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    await request.toArray();
    const delivery = (deliveries.get(path) ?? 0) + 1;
    deliveries.set(path, delivery);
    if (delivery === 1 && path !== "/readyz") return void request.socket.destroy();
    response.end("done");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  replicas = await Promise.all(Array.from({ length: REPLICAS }, startReplica));
  nginx = await startBalancer(replicas.map(portOf));
});

afterAll(async () => {
  await nginx?.remove();
  for (const server of replicas) server.close();
});

describe("when a server is lost while it answers, nginx", () => {
  it("lets another one draw the picture", async () => {
    const body = { template: "blog/article", data: { title: "x".repeat(5_000) } };
    const answer = await nginx.client.ask("POST", RENDER, { body });
    expect([answer.status, deliveries.get(RENDER)]).toEqual([200, 2]);
  });

  it.each([
    ["DELETE", "/api/service/tokens/1"],
    ["GET", "/api/service/account"],
  ])("sends %s %s to another one", async (method, path) => {
    const answer = await nginx.client.ask(method, path);
    expect([answer.status, deliveries.get(path)]).toEqual([200, 2]);
  });

  it.each([
    ["POST", "/api/service/tokens"],
    ["PATCH", "/api/service/users/1"],
  ])("sends %s %s to no other one", async (method, path) => {
    const answer = await nginx.client.ask(method, path, { body: { name: "script" } });
    expect([answer.status, codeOf(answer), deliveries.get(path)]).toEqual([503, "unavailable", 1]);
    expect(answer.headers["retry-after"]).toBe("2");
  });
});

it("sends what a server refuses to another one, whatever the method", async () => {
  const serving = replicas.slice(0, 1).map(portOf);
  const balancer = await startBalancer([await freePort(), ...serving]);
  onTestFinished(() => balancer.remove());
  const path = "/api/service/refused";
  deliveries.set(path, 1);
  for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
    await sleep(LEFT_ALONE_MS);
    const answers = await Promise.all(Array.from({ length: 5 }, () => balancer.client.ask(method, path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  }
});

it("answers in JSON while no server listens", async () => {
  nginx.sendTo([await freePort()]);
  // The worker with the former configuration answers for a while.
  const code = async () => {
    const answer = await nginx.client.ask("POST", RENDER, { body: { template: "blog/article" } });
    return answer.status === 503 && codeOf(answer);
  };
  await expect.poll(code).toBe("unavailable");
});
