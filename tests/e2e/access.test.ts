import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client, codeOf } from "./client.ts";
import { exchangeRaw, type Service, startService } from "./service.ts";

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };

let dir: string;
let service: Service;
let client: Client;

/** The access layer as a newcomer switches it on, without a database. */
function environment(): Record<string, string> {
  return {
    SERVICE_AUTH_ENABLED: "true",
    DATABASE_URL: "",
    SERVICE_DATABASE_DIR: join(dir, "database"),
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  };
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "platen-access-"));
  service = await startService(environment());
  client = new Client(service.origin);
});

afterAll(async () => {
  if (service?.npm.exitCode === null) await service.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function logIn(): Promise<string> {
  const answer = await client.logIn(ADMIN.email, ADMIN.password);
  expect([answer.status, answer.text]).toMatchObject([200, expect.stringContaining('"role":"admin"')]);
  return answer.cookie as string;
}

async function newToken(cookie: string): Promise<{ id: string; token: string }> {
  const answer = await client.ask("POST", "/api/service/tokens", { body: { name: "script" }, cookie });
  expect(answer.status).toBe(201);
  return answer.json() as { id: string; token: string };
}

describe("npm start with the access layer on", () => {
  it("accepts the login of its first administrator as the first request", async () => {
    await logIn();
    await expect.poll(service.output).toContain("The first administrator was created");
  });

  it("renders for a token, and refuses a revoked token and a request without one", async () => {
    const { id, token } = await newToken(await logIn());
    const headers = { authorization: `Bearer ${token}` };
    const picture = await client.render(headers);
    expect([picture.status, picture.headers["content-type"]]).toEqual([200, "image/png"]);
    expect((await client.ask("DELETE", `/api/service/tokens/${id}`, { cookie: await logIn() })).status).toBe(200);
    for (const refused of [headers, {}]) {
      const answer = await client.render(refused);
      expect(codeOf(answer)).toBe("unauthorized");
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
  });

  it("refuses two Authorization headers and an empty one, even beside a good cookie", async () => {
    const cookie = await logIn();
    const { token } = await newToken(cookie);
    const doubled = [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`];
    for (const lines of [
      doubled,
      ["Authorization:"],
      ["Authorization: Basic eDp5"],
      [`Authorization: Bearer ${token}, x`],
    ]) {
      const head = [
        "POST /api/service/images/render HTTP/1.1",
        `Cookie: ${cookie}`,
        `Origin: ${client.origin}`,
        ...lines,
      ];
      const { status } = await exchangeRaw(service.port, head.join("\n"));
      expect([lines.length, status]).toEqual([lines.length, 401]);
    }
    expect((await client.render({ cookie, origin: client.origin })).status).toBe(200);
    expect(codeOf(await client.render({ cookie, origin: "https://evil.example" }))).toBe("origin_mismatch");
  });

  it("answers what its pages ask: the browser of a session, the usage of tokens, a page of a list", async () => {
    const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
    const { cookie } = await client.logIn(ADMIN.email, ADMIN.password, headers);
    const get = (path: string) => client.ask("GET", `/api/service/${path}`, { cookie });
    const [session] = (await get("account/sessions")).json() as { id: string }[];
    expect(session).toMatchObject({ device: "Firefox on Linux", address: "127.0.0.1", current: true });
    expect((await get("tokens/usage")).json()).toBeInstanceOf(Array);
    const found = await get("users?search=ADA%40&sort=-lastLoginAt&page=1&limit=1");
    expect([found.status, found.headers["x-total-count"]]).toEqual([200, "1"]);
    expect(codeOf(await get("users?page=1&page=2"))).toBe("invalid_request");
    const trail = (await get("audit?action=login&limit=1")).json() as { entries: object[]; next: string };
    expect(trail.entries).toMatchObject([{ action: "login", address: "127.0.0.1", actor: { email: ADMIN.email } }]);
    const ended = await client.ask("DELETE", `/api/service/account/sessions/${session?.id}`, { cookie });
    expect([ended.status, ended.cookie]).toEqual([200, "service_session="]);
    expect((await get("account")).status).toBe(401);
  });

  it("does not start a second server on the same database, and says what to do", async () => {
    const second = await startService(environment()).then(
      (started) => started.stop().then(() => "It started."),
      (error: Error) => error.message,
    );
    expect(second).toContain("DATABASE_URL");
    expect(second).toMatch(/process \d+/);
    expect(second).not.toMatch(/^\s+at /m);
  });

  it("logs no password and no token", async () => {
    const { token } = await newToken(await logIn());
    await client.render({ authorization: `Bearer ${token}` });
    await client.logIn(ADMIN.email, "a wrong password");
    const output = service.output();
    for (const secret of [ADMIN.password, token, "a wrong password"]) expect(output).not.toContain(secret);
  });

  it("has all its data after SIGKILL and another start", async () => {
    const { token } = await newToken(await logIn());
    process.kill(-(service.npm.pid as number), "SIGKILL");
    service = await startService(environment());
    client = new Client(service.origin);
    expect((await client.render({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await service.stop()).code).toBe(0);
  });
});
