import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client, codeOf } from "#tests/e2e/client.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { freePort } from "#tests/free-port.ts";
import { type Postgres, type Program, startPostgres, startProgram } from "#tests/postgres/programs.ts";

const ADMIN = { email: "grace@example.com", password: "a bug in the relay, pinned" };

let postgres: Postgres;
let service: Service;
let nginx: Program;
let dir: string;
let behind: Client;

/** The configuration of the README, with paths for a run without root. */
function nginxConfig({ port, upstream }: { port: number; upstream: number }): string {
  const inDir = (name: string) => join(dir, name);
  return `
    daemon off; pid ${inDir("pid")}; error_log ${inDir("error.log")}; worker_processes 1;
    events {}
    http {
      access_log off;
      client_body_temp_path ${inDir("body")}; proxy_temp_path ${inDir("proxy")};
      fastcgi_temp_path ${inDir("f")}; uwsgi_temp_path ${inDir("u")}; scgi_temp_path ${inDir("s")};
      server {
        listen 127.0.0.1:${port} ssl;
        server_name localhost;
        ssl_certificate ${inDir("cert.pem")}; ssl_certificate_key ${inDir("key.pem")};
        client_max_body_size 12m;
        location / {
          proxy_pass http://127.0.0.1:${upstream};
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-Host $http_host;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_set_header Forwarded "";
        }
      }
    }`;
}

async function startNginx(upstream: number): Promise<Client> {
  dir = mkdtempSync(join(tmpdir(), "platen-nginx-"));
  // As root, nginx runs its workers as another user, who needs access to the buffer folders.
  chmodSync(dir, 0o755);
  const certificate = [
    "-keyout",
    join(dir, "key.pem"),
    "-out",
    join(dir, "cert.pem"),
    "-days",
    "2",
    "-subj",
    "/CN=localhost",
  ];
  const names = ["-addext", "subjectAltName=DNS:localhost"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...certificate, ...names], {
    stdio: "pipe",
  });
  const port = await freePort();
  writeFileSync(join(dir, "nginx.conf"), nginxConfig({ port, upstream }));
  const client = new Client(`https://localhost:${port}`, readFileSync(join(dir, "cert.pem")));
  const isReady = async () => (await client.ask("GET", "/readyz")).status === 200;
  const args = ["-e", join(dir, "error.log"), "-c", join(dir, "nginx.conf")];
  nginx = await startProgram({ command: "nginx", args, isReady, asRoot: true });
  return client;
}

beforeAll(async () => {
  postgres = await startPostgres();
  service = await startService({
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_TRUST_PROXY: "true",
    DATABASE_URL: await postgres.createDatabase("proxied"),
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  });
  behind = await startNginx(service.port);
});

afterAll(async () => {
  await nginx?.stop();
  await service?.stop();
  await postgres?.remove();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

const logIn = (headers: Record<string, string> = {}) => behind.logIn(ADMIN.email, ADMIN.password, headers);

describe("behind an nginx that terminates TLS", () => {
  it("signs in with Secure cookies", async () => {
    const answer = await logIn();
    expect(answer.status).toBe(200);
    const [cookie, ...others] = answer.headers["set-cookie"] as string[];
    expect(others).toEqual([expect.stringMatching(/^service_device=.*; Secure$/)]);
    const attributes = cookie?.split("; ").slice(1).toSorted();
    expect(attributes).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"].toSorted());
  });

  it("accepts the origin of the proxy and no other", async () => {
    const { port } = new URL(behind.origin);
    const foreign = [
      "https://evil.example",
      `http://localhost:${port}`,
      "https://localhost",
      `https://sub.localhost:${port}`,
      `https://localhost:${port}.evil.example`,
      `https://user@localhost:${port}`,
      "null",
      "",
    ];
    for (const origin of foreign) {
      const answer = await logIn({ origin });
      expect([origin, codeOf(answer)]).toEqual([origin, "origin_mismatch"]);
      expect(answer.cookie).toBeUndefined();
    }
    for (const site of ["cross-site", "same-site"]) {
      expect(codeOf(await logIn({ "sec-fetch-site": site }))).toBe("origin_mismatch");
    }
    expect((await logIn({ "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  it("ignores forwarded hosts that a client sends", async () => {
    const evil = { origin: "https://evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    expect(codeOf(await logIn(evil))).toBe("origin_mismatch");
    expect(codeOf(await logIn({ ...evil, host: "evil.example", origin: behind.origin }))).toBe("origin_mismatch");
    const direct = new Client(service.origin);
    // A direct request has no forwarded origin, so that no origin is accepted.
    expect(codeOf(await direct.logIn(ADMIN.email, ADMIN.password))).toBe("origin_mismatch");
    const lists = {
      "x-forwarded-host": "localhost, evil.example",
      "x-forwarded-proto": "https",
      origin: "https://localhost",
    };
    expect(codeOf(await direct.logIn(ADMIN.email, ADMIN.password, lists))).toBe("origin_mismatch");
  });

  it("renders for a cookie from the same origin, and for a token from any origin without CORS", async () => {
    const { cookie = "" } = await logIn();
    expect((await behind.render({ cookie, origin: behind.origin })).status).toBe(200);
    expect(codeOf(await behind.render({ cookie, origin: "https://evil.example" }))).toBe("origin_mismatch");
    const created = await behind.ask("POST", "/api/service/tokens", { body: { name: "script" }, cookie });
    const { token } = created.json() as { token: string };
    const answer = await behind.render({ authorization: `Bearer ${token}`, origin: "https://elsewhere.example" });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("image/png");
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("counts attempts by the address that the proxy saw, not by forged ones", async () => {
    const attempt = (index: number) =>
      behind.logIn(`nobody-${index}@example.com`, "not the password at all", {
        "x-forwarded-for": `198.51.100.${index}`,
      });
    const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => attempt(index)));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(100);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20);
  });
});
