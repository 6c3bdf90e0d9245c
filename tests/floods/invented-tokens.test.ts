import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { Client } from "#tests/e2e/client.ts";
import { startService } from "#tests/e2e/service.ts";
import type { Flood } from "./programs/token-flood.ts";

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };
const CONNECTIONS = 200;
const LOGINS = 5;
const SESSIONS = 15;

/**
 * Renders with invented tokens, in a thread of its own: sessions are not to wait until this one has read the responses of the flood.
 */
function flood(port: number) {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const workerData: Flood = { port, connections: CONNECTIONS, answered };
  const thread = new Worker(join(import.meta.dirname, "programs/token-flood.ts"), { workerData });
  onTestFinished(async () => void (await thread.terminate()));
  const end = async (): Promise<number[]> => {
    thread.postMessage("end");
    const [statuses] = await once(thread, "message");
    return statuses;
  };
  return { answered: () => Atomics.load(answered, 0), end };
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
  const { answered, end } = flood(service.port);
  await expect.poll(answered, { timeout: 30_000 }).toBeGreaterThan(2 * CONNECTIONS);
  let cookie: string | undefined;
  for (let count = 0; count < LOGINS; count++) {
    const login = await client.logIn(ADMIN.email, ADMIN.password);
    expect(login.status).toBe(200);
    ({ cookie } = login);
  }
  // Addresses take turns for the database: a session waits for a few requests of the flood, not for all that came before it, which
  // are 200: 4 in most runs, and up to 79 in some.
  const waitedFor: number[] = [];
  for (let count = 0; count < SESSIONS; count++) {
    const before = answered();
    expect((await client.ask("GET", "/api/service/account", { cookie })).status).toBe(200);
    waitedFor.push(answered() - before);
  }
  expect(waitedFor.toSorted((a, b) => a - b)[SESSIONS >> 1]).toBeLessThan((3 / 4) * CONNECTIONS);
  expect(await end()).toEqual([401]);
  expect((await service.stop()).code).toBe(0);
});
