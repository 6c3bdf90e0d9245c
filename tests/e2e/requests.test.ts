import { once } from "node:events";
import { createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TemplateSummary } from "#lib/schemas/template.ts";
import { afterTest } from "../clean-up.ts";
import { expectSafeHeaders } from "../http/requests.ts";
import { codeOf, expectPicture, nestedTemplate, postRender, RENDER } from "./answers.ts";
import { exchangeRaw, RawConnection, type Service, startService } from "./service.ts";

let service: Service;
let template: TemplateSummary;

beforeAll(async () => {
  service = await startService();
  template = await nestedTemplate(service);
});

afterAll(async () => {
  await service?.stop();
});

const expectRender = () => expectPicture(service, template.slug);

describe("a render", () => {
  it("is a PNG of the declared size with every header of the contract", async () => {
    const response = await postRender(service, JSON.stringify({ template: template.slug }));
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
});

describe("a flood of small requests", () => {
  it("holds back neither a probe nor a picture", async () => {
    const flood = Array.from({ length: 25 }, () => new RawConnection(service.port));
    afterTest(() => flood.forEach(({ socket }) => void socket.destroy()));
    await Promise.all(flood.map(({ socket }) => once(socket, "connect")));
    const request = "GET /api/service/templates HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (const connection of flood) connection.send(request.repeat(20));
    const answered = () => flood.reduce((sum, { text }) => sum + text.split("HTTP/1.1 200 OK").length - 1, 0);
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(200);
    await expectRender();
    expect(answered()).toBeLessThan(400);
    await expect.poll(answered, { timeout: 60_000 }).toBe(500);
  }, 90_000);

  it("has its refusals in turn with the other requests of its client", async () => {
    const connections = Array.from({ length: 61 }, () => new RawConnection(service.port));
    afterTest(() => connections.forEach(({ socket }) => void socket.destroy()));
    await Promise.all(connections.map(({ socket }) => once(socket, "connect")));
    // The last one that the server accepts: it may accept them after they are connected.
    const [pages, refused] = [connections.slice(0, -1), connections.at(-1) as RawConnection];
    const answered = () => pages.filter(({ text }) => text.includes("HTTP/1.1 200 OK")).length;
    for (const page of pages) page.send("GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n");
    refused.send("PUT /docs HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(refused.socket, "data");
    const before = answered();
    expect(refused.text).toContain("405");
    // All of them have begun. On a busy machine many are still in flight.
    expect(before).toBeGreaterThan(4);
    await expect.poll(answered, { timeout: 60_000 }).toBe(60);
  });

  it("delays a picture by a few probes, although it asks for probes and never ends", async () => {
    // The picture then comes from memory: the number of rounds of the event loop that it needs does not depend on the browser.
    await expectRender();
    const request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20);
    const flood = Array.from({ length: 200 }, () => createConnection({ port: service.port, host: "127.0.0.1" }));
    afterTest(() => flood.forEach((socket) => void socket.destroy()));
    const begun = flood.map((socket) => once(socket, "data"));
    let answered = 0;
    for (const socket of flood) {
      let answers = 0;
      socket
        .on("error", () => undefined)
        .on("data", (data) => {
          const count = data.toString("latin1").split("HTTP/1.1 ").length - 1;
          answers += count;
          answered += count;
          if (answers % 20 === 0) socket.write(request);
        });
      socket.write(request);
    }
    // A picture also waits while connections arrive.
    await Promise.all(begun);
    for (let times = 0; times < 3; times++) {
      const before = answered;
      await expectRender();
      // Without turns, a single round answers more than one request of each connection.
      expect(answered - before).toBeLessThan(flood.length);
    }
  }, 90_000);
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

  it("CONNECT is refused and Upgrade is ignored", async () => {
    expect(codeOf(await exchangeRaw(service.port, "CONNECT example.com:443 HTTP/1.1"))).toBe("method_not_allowed");
    const upgrade =
      "GET /healthz HTTP/1.1\nUpgrade: websocket\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Version: 13";
    expect((await exchangeRaw(service.port, upgrade)).status).toBe(200);
  });
});

describe("pipelined logins", () => {
  it.each(["/api/service/login", "/api/service/login/", "/api/service/login/?a=b"])(
    "are all answered, and wait for turns under every spelling of the path: %s",
    async (path) => {
      const login = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n`;
      const pipelined = `${login}\r\n${login}\r\n${login}Connection: close\r\n\r\n`;
      const connection = new RawConnection(service.port).send(pipelined);
      await connection.closed;
      // The first begins at once. The second may wait, and then no other one of the same connection may.
      const codes = [...connection.text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);
      expect(codes).toHaveLength(3);
      expect([codes[0], codes[2]]).toEqual(["not_found", "overloaded"]);
    },
  );
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
    return { status: response.status, body: (await response.text()).replace(/"requestId":"[\w-]+"/, "") };
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

describe("the headers with which Next requests the data of a page", () => {
  it.each(["rsc: 1", "next-router-state-tree: x", "next-router-prefetch: 1"])("%s changes nothing", async (header) => {
    const body = JSON.stringify({ template: "no/such" });
    const head = `POST ${RENDER} HTTP/1.1\nContent-Type: application/json\nContent-Length: ${body.length}\n${header}`;
    expect(codeOf(await exchangeRaw(service.port, head, body))).toBe("unknown_template");
    expect(codeOf(await exchangeRaw(service.port, `POST /api/service/login HTTP/1.1\n${header}`))).toBe("not_found");
  });
});
