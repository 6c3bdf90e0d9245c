import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RENDER } from "#tests/e2e/answers.ts";
import { codeOf } from "#tests/e2e/client.ts";
import { freePort } from "#tests/free-port.ts";
import { type Balancer, startBalancer } from "#tests/postgres/balancer.ts";

/** nginx leaves a server alone for ten seconds after each lost request, so there are more than are lost. */
const REPLICAS = 8;

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

beforeAll(async () => {
  replicas = await Promise.all(Array.from({ length: REPLICAS }, startReplica));
  nginx = await startBalancer(replicas.map((server) => (server.address() as AddressInfo).port));
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
    ["POST", "/api/service/tokens"],
    ["DELETE", "/api/service/tokens/1"],
    ["GET", "/api/service/account"],
  ])("sends %s %s to no other one", async (method, path) => {
    const answer = await nginx.client.ask(method, path, method === "POST" ? { body: { name: "script" } } : {});
    expect([answer.status, codeOf(answer), deliveries.get(path)]).toEqual([503, "unavailable", 1]);
    expect(answer.headers["retry-after"]).toBe("2");
  });
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
