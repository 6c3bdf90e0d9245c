import { once } from "node:events";
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { errorOf } from "../../http/requests.ts";
import { METHODS, ROUTES, send } from "../client.ts";

/** The contract's table, below `/api/service`. */
const PATHS = [
  "login",
  "logout",
  "account",
  "account/password",
  "account/sessions",
  "account/sessions/0199f000-0000-7000-8000-000000000000",
  "account/unknown-logins",
  "account/unknown-logins/0199f000-0000-7000-8000-000000000000",
  "account/unknown-logins/0199f000-0000-7000-8000-000000000000/session",
  "audit",
  "audit/export",
  "tokens",
  "tokens/usage",
  "tokens/0199f000-0000-7000-8000-000000000000",
  "users",
  "users/0199f000-0000-7000-8000-000000000000",
  "users/0199f000-0000-7000-8000-000000000000/password",
  "users/0199f000-0000-7000-8000-000000000000/tokens",
  "users/0199f000-0000-7000-8000-000000000000/tokens/usage",
];

const CREDENTIALS = { session: "s".repeat(43), token: "svc_0123456789" };

let database: Server;
let connections = 0;

beforeAll(async () => {
  database = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  database.listen(0, "127.0.0.1");
  await once(database, "listening");
});

afterAll(() => database.close());

const folder = join(tmpdir(), `platen-no-database-${process.pid}`);

beforeEach(() => {
  connections = 0;
  vi.stubEnv("SERVICE_DATABASE_DIR", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const url = () => `postgres://postgres@127.0.0.1:${(database.address() as AddressInfo).port}/none`;

describe("in open mode", () => {
  it.each([...PATHS, "", "no/such", "/api"])("%s answers 404 to every method", async (path) => {
    for (const DATABASE_URL of [url(), ""]) {
      vi.stubEnv("DATABASE_URL", DATABASE_URL);
      for (const method of METHODS) {
        for (const sent of [{}, CREDENTIALS]) {
          const response = await send(method, path, sent);
          expect(response.headers.getSetCookie()).toEqual([]);
          expect(response.headers.has("allow")).toBe(false);
          expect((await errorOf(response)).code).toBe("not_found");
        }
      }
    }
    expect(connections).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it("open routes ignore credentials and origins, and use no database", async () => {
    vi.stubEnv("DATABASE_URL", url());
    const headers = { origin: "http://evil.example", authorization: "Basic x", "sec-fetch-site": "cross-site" };
    for (const path of ["templates", "openapi.json", "/healthz"]) {
      expect((await send("GET", path, { ...CREDENTIALS, headers })).status).toBe(200);
    }
    const response = await send("POST", "images/render", { ...CREDENTIALS, headers, json: { template: "no/such" } });
    expect((await errorOf(response)).code).toBe("unknown_template");
    expect(connections).toBe(0);
  });
});

it("every route file of the access layer is in the table", () => {
  const folders = ROUTES.filter((route) => /^\/api\/service\/(login|logout|account|audit|tokens|users)/.test(route));
  const ofTable = PATHS.map((path) => `/api/service/${path.replace(/0199[^/]+/, "[id]")}`);
  expect(folders.toSorted()).toEqual(ofTable.toSorted());
});
