import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createTokenSecret } from "#lib/access/secrets.ts";
import { Client } from "#tests/e2e/client.ts";
import { startService } from "#tests/e2e/service.ts";

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };
const CONNECTIONS = 200;
const LOGINS = 5;
const SESSIONS = 15;

/** Another address than the one that signs in. */
const FROM = { host: "127.0.0.1", localAddress: "127.0.0.2" };

/** Renders with invented tokens until it ends. Each request takes a query. */
function flood(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const statuses = new Map<number | undefined, number>();
  let isOver = false;
  const send = async () => {
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
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
    await once(answer.resume(), "end");
  };
  const loop = async () => {
    while (!isOver) await send();
  };
  const loops = Array.from({ length: CONNECTIONS }, loop);
  const end = async () => {
    isOver = true;
    await Promise.all(loops);
    agent.destroy();
  };
  return { statuses, end };
}

it("200 connections with invented tokens keep nobody from signing in", async () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-flood-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const service = await startService({
    DATABASE_URL: "",
    SERVICE_DATABASE_DIR: join(dir, "database"),
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  });
  const client = new Client(service.origin);
  await expect.poll(async () => (await client.ask("GET", "/readyz")).status).toBe(200);
  const { statuses, end } = flood(service.port);
  await expect.poll(() => statuses.get(401) ?? 0).toBeGreaterThan(2 * CONNECTIONS);
  let cookie: string | undefined;
  for (let count = 0; count < LOGINS; count++) {
    const login = await client.logIn(ADMIN.email, ADMIN.password);
    expect(login.status).toBe(200);
    ({ cookie } = login);
  }
  // Addresses take turns for the database: a session waits for a few requests of the flood, not for all that came before it, which
  // are 200. Responses that this process has yet to read count as well: on a busy machine the median was 57.
  const waitedFor: number[] = [];
  for (let count = 0; count < SESSIONS; count++) {
    const before = statuses.get(401) ?? 0;
    expect((await client.ask("GET", "/api/service/account", { cookie })).status).toBe(200);
    waitedFor.push((statuses.get(401) ?? 0) - before);
  }
  expect(waitedFor.toSorted((a, b) => a - b)[SESSIONS >> 1]).toBeLessThan(CONNECTIONS / 2);
  await end();
  expect([...statuses.keys()]).toEqual([401]);
  expect((await service.stop()).code).toBe(0);
});
