import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSessionSecret, createTokenSecret } from "#lib/access/secrets.ts";
import { closeDatabase } from "#lib/db/database.ts";
import { AWAY_MS } from "#tests/pace.ts";
import { NOBODY, PASSWORD } from "../access/people.ts";
import { errorOf } from "../http/requests.ts";
import { type Method, type Sent, send, sessionOf } from "./client.ts";

vi.unmock("#lib/db/database-limits.ts");

const session = createSessionSecret();
const token = createTokenSecret();

/** Everything that cannot be answered without a database. */
const REQUESTS: [Method, string, Sent][] = [
  ["POST", "login", { json: { email: "ada@example.com", password: PASSWORD } }],
  ["POST", "logout", { session }],
  ["GET", "account", { session }],
  ["PATCH", "account", { session, json: { name: "X" } }],
  ["POST", "account/password", { session, json: { currentPassword: PASSWORD, newPassword: PASSWORD } }],
  ["GET", "tokens", { session }],
  ["POST", "tokens", { session, json: { name: "X" } }],
  ["DELETE", `tokens/${NOBODY}`, { session }],
  ["GET", "users", { session }],
  ["DELETE", `users/${NOBODY}`, { session }],
  ["POST", "images/render", { session, json: { template: "social/quote" } }],
  ["POST", "images/render", { token, json: { template: "social/quote" } }],
  ["GET", "templates", { session }],
  ["GET", "openapi.json", { session }],
  ["GET", "/readyz", {}],
];

let server: Server;
const sockets = new Set<Socket>();

beforeEach(async () => {
  server = createServer((socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
  await closeDatabase();
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server.close();
  await closeDatabase();
  vi.unstubAllEnvs();
});

/** Where nothing listens, or where something listens and says nothing. */
function pointAtDatabase(that: "is gone" | "is silent"): void {
  const { port } = server.address() as AddressInfo;
  if (that === "is gone") server.close();
  vi.stubEnv("DATABASE_URL", `postgres://postgres@127.0.0.1:${port}/none`);
}

describe.each(["is gone", "is silent"] as const)("a database that %s", (that) => {
  it("makes everything that needs it 503 in bounded time, and lets nobody in", async () => {
    pointAtDatabase(that);
    await Promise.all(
      REQUESTS.map(async ([method, path, sent]) => {
        const startedAt = performance.now();
        const response = await send(method, path, sent);
        expect([path, performance.now() - startedAt < AWAY_MS]).toEqual([path, true]);
        expect(sessionOf(response)).toBe(path === "logout" ? "" : undefined);
        expect([path, (await errorOf(response)).code]).toEqual([path, "unavailable"]);
      }),
    );
  });

  it("is not asked for what is refused without it", async () => {
    pointAtDatabase(that);
    for (const [method, path, { json }] of REQUESTS.filter(([, path]) => !/login|logout|readyz/.test(path))) {
      for (const sent of [{ json }, { json, session: "x" }, { json, token: "svc_x" }]) {
        expect([path, (await errorOf(await send(method, path, sent))).code]).toEqual([path, "unauthorized"]);
      }
    }
    expect((await send("GET", "/healthz")).status).toBe(200);
    expect(sockets.size).toBe(0);
  });
});
