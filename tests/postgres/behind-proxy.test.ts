import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STATUS_OF_CODE } from "#lib/errors.ts";
import { RENDER_BODY_LIMIT_BYTES as LARGEST } from "#lib/http/http-limits.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { RENDER } from "#tests/e2e/answers.ts";
import { Client, codeOf } from "#tests/e2e/client.ts";
import { type RawAnswer, type Service, startService } from "#tests/e2e/service.ts";
import { exchangeThrough, startBalancer, startCaddy, type TlsProxy } from "#tests/postgres/balancer.ts";
import { type Postgres, startPostgres } from "#tests/postgres/programs.ts";

const ADMIN = { email: "grace@example.com", password: "a bug in the relay, pinned" };

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres?.remove());

/** The code of an error, after checking what every error has. */
function rawCode(answer: RawAnswer): string {
  const { error } = ErrorAnswer.parse(JSON.parse(answer.body));
  expect(answer.status).toBe(STATUS_OF_CODE[error.code]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-length": String(answer.body.length),
    "x-request-id": error.requestId,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  return error.code;
}

const UPLOAD = `POST ${RENDER} HTTP/1.1\nHost: localhost\nContent-Type: application/json`;
const large = "x".repeat(20_000);
const half = "x".repeat(10_000);
const plain = "GET /api/service/account HTTP/1.1\nHost: localhost";

const REFUSED: [what: string, head: string, code: string][] = [
  ["an address of 20 kB", `GET /api/service/account?${large} HTTP/1.1\nHost: localhost`, "invalid_request"],
  ["a header of 20 kB", `${plain}\nX: ${large}`, "invalid_request"],
  ["two headers of 10 kB", `${plain}\nX: ${half}\nY: ${half}`, "invalid_request"],
  ["no host", "GET /healthz HTTP/1.1", "invalid_request"],
  ["two hosts", "GET /healthz HTTP/1.1\nHost: a\nHost: b", "invalid_request"],
  ["a broken escape", "GET /api/%zz HTTP/1.1\nHost: localhost", "invalid_request"],
  ["another protocol", "SSH-2.0-x", "invalid_request"],
  ["another version of HTTP", "GET /healthz HTTP/2.0\nHost: localhost", "invalid_request"],
  ["two lengths", `POST ${RENDER} HTTP/1.1\nHost: x\nContent-Length: 1\nContent-Length: 2`, "invalid_request"],
  [
    "another transfer coding",
    `POST ${RENDER} HTTP/1.1\nHost: localhost\nTransfer-Encoding: gzip, chunked`,
    "unsupported_media_type",
  ],
  ["TRACE", `TRACE ${RENDER} HTTP/1.1\nHost: localhost`, "method_not_allowed"],
  ["PUT", `PUT ${RENDER} HTTP/1.1\nHost: localhost\nContent-Length: 0`, "method_not_allowed"],
  ["an unknown route", "GET /api/nothing HTTP/1.1\nHost: localhost", "not_found"],
  ["a path of two slashes", "GET //api/service/account HTTP/1.1\nHost: localhost", "not_found"],
  ["no credentials", plain, "unauthorized"],
];

/** These never reach Platen. */
const REFUSED_BY_CADDY = [
  "no host",
  "two hosts",
  "a broken escape",
  "another protocol",
  "another version of HTTP",
  "two lengths",
  "another transfer coding",
];

type StartProxy = (replicas: readonly number[]) => Promise<TlsProxy>;

/** What differs with Caddy 2.6 is in docs/deployment.md. */
const PROXIES: [name: "nginx" | "Caddy", start: StartProxy][] = [
  ["nginx", startBalancer],
  ["Caddy", startCaddy],
];

describe.each(PROXIES)("behind %s", (name, start) => {
  let service: Service;
  let proxy: TlsProxy;
  let behind: Client;

  beforeAll(async () => {
    service = await startService({
      SERVICE_AUTH_ENABLED: "true",
      SERVICE_TRUST_PROXY: "true",
      DATABASE_URL: await postgres.createDatabase(`behind_${name}`),
      SERVICE_ADMIN_EMAIL: ADMIN.email,
      SERVICE_ADMIN_PASSWORD: ADMIN.password,
    });
    proxy = await start([service.port]);
    behind = proxy.client;
  });

  afterAll(async () => {
    await proxy?.remove();
    await service?.stop();
  });

  const logIn = (headers: Record<string, string> = {}) => behind.logIn(ADMIN.email, ADMIN.password, headers);
  const send = (head: string, body?: string) => exchangeThrough(proxy, head, body);

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

  it.each([{}, { rsc: "1" }])("passes on redirects of the longest addresses, with %j", async (headers) => {
    const paths = ["a".repeat(6_000), "/".repeat(15_000)].map((title) => `/templates/social/quote?title=${title}`);
    const answers = await Promise.all(paths.map((path) => behind.ask("GET", path, { headers: { ...headers } })));
    expect(answers.map(({ status }) => status)).toEqual([307, 307]);
  });

  it("ignores forwarded hosts that a client sends", async () => {
    const evil = { origin: "https://evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    expect(codeOf(await logIn(evil))).toBe("origin_mismatch");
    const other = await logIn({ ...evil, host: "evil.example", origin: behind.origin });
    // Caddy passes on only what is for the name of its file, and answers others with an empty page.
    if (name === "nginx") expect(codeOf(other)).toBe("origin_mismatch");
    else expect([other.status, other.text, other.cookie]).toEqual([200, "", undefined]);
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
    expect(answer.headers).toMatchObject({
      "content-type": "image/png",
      "content-length": expect.stringMatching(/^\d+$/),
    });
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

  it.each(REFUSED.filter(([what]) => name === "nginx" || !REFUSED_BY_CADDY.includes(what)))(
    "answers %s with an error of its own",
    async (_what, head, code) => {
      const answer = await send(head);
      expect(rawCode(answer)).toBe(code);
      if (code === "method_not_allowed") expect(answer.headers.get("allow")).toBe("POST");
    },
  );

  it.each(["/metrics", "/metrics/", "//metrics", "/x/../metrics", "/%6detrics", "/metrics?x"])(
    "does not pass on %s",
    async (path) => {
      expect(rawCode(await send(`GET ${path} HTTP/1.1\nHost: localhost`))).toBe("not_found");
    },
  );

  it("answers HEAD without a body, with the length of GET", async () => {
    const [head, get] = await Promise.all(["HEAD", "GET"].map((method) => behind.ask(method, "/healthz")));
    expect([head?.status, head?.text]).toEqual([200, ""]);
    expect(head?.headers["content-length"]).toBe(get?.headers["content-length"]);
  });

  /** @returns the head of a render with a new token and a body of some length */
  async function renderHead(): Promise<(bytes: number) => string> {
    const { cookie } = await logIn();
    const created = await behind.ask("POST", "/api/service/tokens", { body: { name: "bodies" }, cookie });
    const { token } = created.json() as { token: string };
    return (bytes) => `${UPLOAD}\nAuthorization: Bearer ${token}\nContent-Length: ${bytes}`;
  }

  it("takes the largest body, and refuses a larger one", async () => {
    const head = await renderHead();
    const text = JSON.stringify({ template: "blog/article" });
    expect((await send(head(LARGEST), text.padEnd(LARGEST))).status).toBe(200);
    expect(rawCode(await send(head(LARGEST + 1), text.padEnd(LARGEST + 1)))).toBe("payload_too_large");
    expect(rawCode(await send(`${UPLOAD}\nContent-Length: 100`, text.padEnd(100)))).toBe("unauthorized");
  });

  if (name === "Caddy") {
    it.each(REFUSED.filter(([what]) => REFUSED_BY_CADDY.includes(what)))(
      "refuses %s in plain text",
      async (_what, head) => {
        const answer = await send(head);
        expect([400, 501, 505]).toContain(answer.status);
        expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
      },
    );
    return;
  }

  it("answers plain HTTP with an error of its own", async () => {
    const answer = await new Client(behind.origin.replace("https:", "http:")).ask("GET", "/healthz");
    expect([answer.status, codeOf(answer)]).toEqual([400, "invalid_request"]);
  });

  it("refuses bodies before or while they are sent", async () => {
    const head = await renderHead();
    // The service waits 20 s for the rest of a body. An nginx that waited for all of it would answer after 60 s, in HTML.
    const stalled = send(head(100), "{");
    expect(rawCode(await send(head(LARGEST + 1)))).toBe("payload_too_large");
    expect(rawCode(await send(`${UPLOAD}\nContent-Length: ${LARGEST}`))).toBe("unauthorized");
    expect(rawCode(await stalled)).toBe("request_timeout");
  });
});
