import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createCookieSecret, createTokenSecret } from "#lib/access/secrets.ts";
import { closeDatabase } from "#lib/db/database.ts";
import { AWAY_MS } from "#tests/pace.ts";
import { NOBODY, PASSWORD } from "../access/people.ts";
import { errorOf } from "../http/requests.ts";
import { loadRoute, type Method, ROUTES, type Sent, send, sessionOf } from "./client.ts";

vi.unmock("#lib/db/database-limits.ts");

const session = createCookieSecret();
const token = createTokenSecret();

/** Requests that need the database. */
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

beforeAll(async () => {
  // Loading a route takes longer than answering.
  await Promise.all(ROUTES.map(loadRoute));
});

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

/** Points at a port without a listener, or at a listener that never answers. */
function pointAtDatabase(that: "is gone" | "is silent"): void {
  const { port } = server.address() as AddressInfo;
  if (that === "is gone") server.close();
  vi.stubEnv("DATABASE_URL", `postgres://postgres@127.0.0.1:${port}/none`);
}

/** Sends a request. It is late when a timer of {@link AWAY_MS} fires first: a busy machine delays that timer as well. */
async function sendInTime(...request: Parameters<typeof send>): Promise<{ response: Response; isLate: boolean }> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
  }, AWAY_MS);
  try {
    const response = await send(...request);
    return { response, isLate };
  } finally {
    clearTimeout(timer);
  }
}

describe.each(["is gone", "is silent"] as const)("a database that %s", (that) => {
  it("makes every operation that needs it answer 503, and authorises nobody", async () => {
    pointAtDatabase(that);
    await Promise.all(
      REQUESTS.map(async ([method, path, sent]) => {
        const { response, isLate } = await sendInTime(method, path, sent);
        expect([path, isLate]).toEqual([path, false]);
        expect(sessionOf(response)).toBe(path === "logout" ? "" : undefined);
        expect([path, (await errorOf(response)).code]).toEqual([path, "unavailable"]);
      }),
    );
  });

  it("is not needed to refuse malformed credentials", async () => {
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
