import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { STATUS_OF_CODE } from "#lib/errors.ts";
import {
  BODY_BUDGET_BYTES,
  BODY_BUDGET_RESERVE_BYTES,
  BODY_IDLE_MS,
  LINGER_BYTES,
  RENDER_BODY_LIMIT_BYTES,
} from "#lib/http/limits.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { expectSafeHeaders } from "../http/requests.ts";
import { exchangeRaw, parseAnswer, type RawAnswer, RawConnection, type Service, startService } from "./service.ts";

const RENDER = "/api/service/images/render";
const JSON_TYPE = { "content-type": "application/json" };

let service: Service;
let template: TemplateSummary;

beforeAll(async () => {
  service = await startService();
  const templates = z
    .array(TemplateSummary)
    .parse(await (await fetch(`${service.origin}/api/service/templates`)).json());
  const nested = templates.find(({ slug }) => slug.includes("/"));
  if (!nested) throw new Error("There is no template whose slug has a slash.");
  template = nested;
});

afterAll(async () => {
  await service?.stop();
});

function post(body: BodyInit, headers: Record<string, string> = JSON_TYPE): Promise<Response> {
  return fetch(service.origin + RENDER, { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

async function expectRender(): Promise<void> {
  const response = await post(JSON.stringify({ template: template.slug }));
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get("content-length")));
}

/** The code of an answer that is one of the contract's errors. */
function codeOf(answer: RawAnswer): string {
  const { error } = ErrorAnswer.parse(JSON.parse(answer.body));
  expect(answer.status).toBe(STATUS_OF_CODE[error.code]);
  expect(answer.headers.get("x-request-id")).toBe(error.requestId);
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(answer.body)));
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expectSafeHeaders({ headers: new Headers([...answer.headers]) } as Response);
  return error.code;
}

async function fetchedCode(response: Response): Promise<string> {
  return codeOf({ status: response.status, headers: new Map(response.headers), body: await response.text() });
}

describe("a render", () => {
  it("is a PNG of the declared size with every header of the contract", async () => {
    const response = await post(JSON.stringify({ template: template.slug }));
    expect(response.status).toBe(200);
    expectSafeHeaders(response);
    const png = Buffer.from(await response.arrayBuffer());
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([template.width, template.height]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(png.length),
      "content-disposition": `inline; filename="${template.slug.replaceAll("/", "-")}.png"`,
      "server-timing": expect.stringContaining(";dur="),
    });
  });

  it("takes bodies of 10.5 MB and of exactly 12,000,000 bytes, by length and chunked", async () => {
    const text = JSON.stringify({ template: template.slug });
    expect((await post(text.padEnd(10_500_000))).status).toBe(200);
    expect((await post(text.padEnd(RENDER_BODY_LIMIT_BYTES))).status).toBe(200);
    expect((await post(new Blob([text.padEnd(RENDER_BODY_LIMIT_BYTES)]).stream())).status).toBe(200);
  });

  it("takes a charset of utf-8 in any case, and no second content type", async () => {
    const body = JSON.stringify({ template: template.slug });
    expect((await post(body, { "content-type": 'application/json; charset="UTF-8"' })).status).toBe(200);
    const head = `POST ${RENDER} HTTP/1.1\nContent-Length: ${body.length}\nContent-Type: application/json`;
    expect(codeOf(await exchangeRaw(service.port, `${head}\nContent-Type: application/json`, body))).toBe(
      "unsupported_media_type",
    );
    expect(
      codeOf(await exchangeRaw(service.port, `${head}\nContent-Encoding: identity\nContent-Encoding: gzip`, body)),
    ).toBe("unsupported_media_type");
  });
});

describe("a body over the limit", () => {
  it("gets its answer even when the client sends everything before it reads", async () => {
    for (let round = 0; round < 5; round++) {
      expect(await fetchedCode(await post(Buffer.alloc(RENDER_BODY_LIMIT_BYTES + 1, " ")))).toBe("payload_too_large");
    }
    expect(await fetchedCode(await post(new Blob([Buffer.alloc(RENDER_BODY_LIMIT_BYTES + 1, " ")]).stream()))).toBe(
      "payload_too_large",
    );
    await expectRender();
  });

  it("is refused before any of it is sent", async () => {
    const head = `POST ${RENDER} HTTP/1.1\nContent-Type: application/json\nContent-Length: ${RENDER_BODY_LIMIT_BYTES + 1}`;
    const startedAt = performance.now();
    const connection = new RawConnection(service.port);
    connection.send(`${head.replaceAll("\n", "\r\n")}\r\nHost: x\r\n\r\n`);
    await once(connection.socket, "end");
    expect(codeOf(parseAnswer(connection.text))).toBe("payload_too_large");
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    connection.socket.destroy();
  });

  it("is not read to its end when it has none", async () => {
    const connection = new RawConnection(service.port);
    connection.send(
      `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, " "), Buffer.from("\r\n")]);
    let sent = 0;
    const pump = () => {
      while (!connection.socket.destroyed && connection.socket.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    connection.socket.on("drain", pump);
    pump();
    expect(codeOf(await connection.answer())).toBe("payload_too_large");
    // The socket buffers of both ends hold a few megabytes more than what was read.
    expect(sent).toBeLessThan(RENDER_BODY_LIMIT_BYTES + LINGER_BYTES + 20_000_000);
    await expectRender();
  });
});

describe("a body that waits to be asked for", () => {
  const expecting = async (headers: string[]) => {
    const connection = new RawConnection(service.port);
    const head = [`POST ${RENDER} HTTP/1.1`, "Host: x", "Expect: 100-continue", ...headers, "", ""];
    connection.send(head.join("\r\n"));
    await once(connection.socket, "data");
    return connection;
  };

  it("is asked for when it is read", async () => {
    const body = JSON.stringify({ template: template.slug });
    const connection = await expecting([
      `Content-Length: ${body.length}`,
      "Content-Type: application/json",
      "Connection: close",
    ]);
    expect(connection.text).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send(body);
    await connection.closed;
    expect(connection.text.split("\r\n\r\n")[1]).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([
    [
      "too large",
      "payload_too_large",
      [`Content-Length: ${RENDER_BODY_LIMIT_BYTES + 1}`, "Content-Type: application/json"],
    ],
    ["of another type", "unsupported_media_type", ["Content-Length: 10", "Content-Type: text/plain"]],
    [
      "encoded",
      "unsupported_media_type",
      ["Content-Length: 10", "Content-Type: application/json", "Content-Encoding: br"],
    ],
  ])("is not asked for when it is %s", async (_name, code, headers) => {
    const connection = await expecting(headers);
    connection.socket.end();
    expect(codeOf(await connection.answer())).toBe(code);
  });
});

describe("large bodies that are sent at once and never whole", () => {
  it("are refused with 503 beyond the budget, and leave room for small ones", async () => {
    const head = `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: `;
    const part = Buffer.alloc(RENDER_BODY_LIMIT_BYTES - 1, " ");
    const fitting = Math.floor((BODY_BUDGET_BYTES - BODY_BUDGET_RESERVE_BYTES) / part.length);
    const connections = Array.from({ length: fitting + 2 }, () =>
      new RawConnection(service.port).send(`${head}${RENDER_BODY_LIMIT_BYTES}\r\n\r\n`).send(part),
    );
    try {
      const refused = () => connections.filter(({ text }) => text !== "");
      await expect.poll(() => refused().length, { timeout: 15_000 }).toBe(2);
      for (const connection of refused()) {
        const answer = await connection.answer();
        expect(codeOf(answer)).toBe("overloaded");
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(answer.headers.get("connection")).toBe("close");
      }
      expect(await fetchedCode(await post(part))).toBe("overloaded");
      await expectRender();
    } finally {
      for (const { socket } of connections) socket.destroy();
    }
    await expect.poll(async () => fetchedCode(await post(part)), { timeout: 5_000 }).toBe("invalid_json");
  });
});

describe("silent connections", () => {
  it(
    "do not slow a good request, and are answered and closed in bounded time",
    async () => {
      const silent = Array.from({ length: 200 }, () =>
        new RawConnection(service.port).send(
          `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      const startedAt = performance.now();
      await expectRender();
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      const codes = await Promise.all(silent.map(async (connection) => codeOf(await connection.answer())));
      expect(new Set(codes)).toEqual(new Set(["invalid_request"]));
      expect(performance.now() - startedAt).toBeLessThan(BODY_IDLE_MS + 10_000);
    },
    BODY_IDLE_MS + 40_000,
  );
});

describe("methods", () => {
  it.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE", "MKCOL", "QUERY"])(
    "%s is not allowed on the render route",
    async (method) => {
      const answer = await exchangeRaw(service.port, `${method} ${RENDER} HTTP/1.1\nOrigin: https://evil.example`);
      expect(answer.headers.get("allow")).toBe("POST");
      expect(answer.status).toBe(405);
      if (method !== "HEAD") expect(codeOf(answer)).toBe("method_not_allowed");
    },
  );

  it.each(["GET", "POST", "DELETE", "OPTIONS", "PROPFIND", "TRACE"])("%s finds no access route", async (method) => {
    for (const path of ["login", "account", "tokens/1", "users/1/tokens"]) {
      expect(codeOf(await exchangeRaw(service.port, `${method} /api/service/${path} HTTP/1.1`))).toBe("not_found");
    }
  });

  it("other than GET and HEAD are not allowed on pages", async () => {
    for (const method of ["POST", "OPTIONS", "PROPFIND", "DELETE"]) {
      const answer = await exchangeRaw(
        service.port,
        `${method} / HTTP/1.1\nNext-Action: 0123456789\nContent-Length: 0`,
      );
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
      expect(codeOf(answer)).toBe("method_not_allowed");
    }
  });

  it("CONNECT and Upgrade lead nowhere", async () => {
    expect(codeOf(await exchangeRaw(service.port, "CONNECT example.com:443 HTTP/1.1"))).toBe("method_not_allowed");
    const upgrade =
      "GET /healthz HTTP/1.1\nUpgrade: websocket\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Version: 13";
    expect((await exchangeRaw(service.port, upgrade)).status).toBe(200);
  });
});

describe("a disguised path", () => {
  it.each([
    ["//api/service/templates", "not_found"],
    ["/api//service/templates", "not_found"],
    ["/api/service%2Ftemplates", "not_found"],
    ["/api/service/templates.rsc", "not_found"],
    ["/api/service/templates.json", "not_found"],
    ["/api/service/x/../templates", "not_found"],
    ["/api/service/%2e%2e/service/templates", "not_found"],
    ["/api\\service\\templates", "not_found"],
    ["/api/service/templates%5c", "not_found"],
    ["/api/service/templates%00", "not_found"],
    ["/API/service/templates", "page"],
    ["/api/%zz", "invalid_request"],
    ["/%c3%28", "invalid_request"],
    ["/_next/data/x/api/service/templates.json", "page"],
    ["/_next/image?url=%2Fapi%2Fservice%2Ftemplates&w=64&q=75", "page"],
    ["*", "invalid_request"],
    ["http://evil.example/api/service/tokens", "not_found"],
  ])("%s gives %s", async (path, code) => {
    const answer = await exchangeRaw(service.port, `GET ${path} HTTP/1.1`);
    if (code === "page") expect(answer.status).toBeGreaterThanOrEqual(400);
    else expect(codeOf(answer)).toBe(code);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.has("x-request-id")).toBe(true);
    expect(answer.body).not.toContain(template.title);
  });

  const plain = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(service.origin + path, { headers });
    return { status: response.status, body: (await response.text()).replace(/"requestId":"\w+"/, "") };
  };

  it.each<[string, Record<string, string>]>([
    ["?nxtPslug=a&nxtPpath=b", {}],
    ["?_rsc=1", { rsc: "1" }],
    ["", { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" }],
    ["", { "next-action": "x" }],
    ["", { "x-middleware-subrequest": "middleware:middleware:middleware", "x-middleware-rewrite": "/healthz" }],
    [
      "",
      {
        "x-matched-path": "/healthz",
        "x-now-route-matches": "1",
        "x-invoke-path": "/healthz",
        "x-invoke-status": "200",
      },
    ],
    ["", { "x-forwarded-host": "evil.example", "x-original-url": "/healthz", "x-rewrite-url": "/healthz" }],
    ["", { "x-prerender-revalidate": "1", purpose: "prefetch", "x-nextjs-data": "1" }],
    ["", { "x-http-method-override": "POST" }],
  ])("%s with %o gives no more than the plain request", async (query, headers) => {
    for (const path of ["/api/service/templates", "/api/service/tokens", "/api/nothing", RENDER]) {
      expect(await plain(path + query, headers)).toEqual(await plain(path));
    }
  });

  it("of a template's slug gives the same template", async () => {
    const encoded = encodeURIComponent(template.slug);
    expect(await plain(`/api/service/templates/${encoded}`)).toEqual(
      await plain(`/api/service/templates/${template.slug}`),
    );
    expect((await plain("/api/service/templates/%2e%2e%2f%2e%2e%2fpackage.json")).status).toBe(404);
  });

  it("is never a redirect", async () => {
    for (const path of ["/api/", "/api/service/templates/", `${RENDER}/`, "//evil.example/"]) {
      const answer = await exchangeRaw(service.port, `GET ${path} HTTP/1.1`);
      expect(answer.headers.has("location"), path).toBe(false);
    }
  });
});

describe("what is not HTTP", () => {
  it.each([
    ["garbage", "\x16\x03\x01\x02\x00\r\n\r\n"],
    ["another protocol", "SSH-2.0-x\r\n\r\n"],
    ["a broken header", "GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["headers of 20 kB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n"],
    [
      "a broken chunk",
      `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ])("%s is a 400 of ours", async (_name, bytes) => {
    const connection = new RawConnection(service.port).send(bytes);
    setTimeout(() => connection.socket.end(), 1_000);
    expect(codeOf(await connection.answer())).toBe("invalid_request");
  });

  it("leaves the service as it was", async () => {
    await expectRender();
  });
});

describe("every answer", () => {
  it("of a page or file is safe to show and names its request", async () => {
    const page = await fetch(service.origin);
    const html = await page.text();
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
    for (const response of [page, await fetch(service.origin + script), await fetch(`${service.origin}/nothing`)]) {
      expect(response.headers.get("x-request-id")).toMatch(/^\w{26}$/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.has("x-powered-by")).toBe(false);
    }
    expect(html).toContain(template.title);
    expect(html.trimEnd().endsWith("</html>")).toBe(true);
  });

  it("of a page has the pages' policy, however like a route its address looks", async () => {
    for (const path of ["/nothing", "/healthz-x", "/readyz.txt", "/healthz/x", "/apis"]) {
      const response = await fetch(service.origin + path);
      expect(response.status, path).toBe(404);
      expect(response.headers.get("content-security-policy"), path).toContain("script-src 'self'");
    }
  });

  it("of a probe needs no credentials", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const response = await fetch(service.origin + path);
      expectSafeHeaders(response);
      expect(await response.json()).toEqual({ status: "ok" });
    }
  });

  it("is logged once, as one line of JSON without query or body", async () => {
    await fetch(`${service.origin}/healthz?token=svc_hidden`, { headers: { authorization: "Bearer svc_hidden" } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const lines = service
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ method: "GET", path: "/healthz", status: 200 });
    expect(service.output()).not.toContain("svc_hidden");
  });
});
