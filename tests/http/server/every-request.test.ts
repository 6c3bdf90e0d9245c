import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { createHttpServer } from "#lib/http/server/server.ts";
import { captureLog } from "../../captured-log.ts";
import { parseAnswer, RawConnection } from "../../e2e/service.ts";

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Sends one request to a server that answers 200, and reads its response. */
async function exchange(request: string) {
  const paths: string[] = [];
  const server = createHttpServer(async ({ url }, response) => {
    paths.push(String(url));
    response.writeHead(200, { "Content-Length": 0 }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connection = new RawConnection((server.address() as AddressInfo).port).send(request);
  await expect.poll(() => connection.text).toContain("\r\n\r\n");
  server.closeAllConnections();
  server.close();
  return { answer: parseAnswer(connection.text), paths };
}

it("a page of open mode answers to no foreign host, whatever the method", async () => {
  for (const method of ["GET", "POST", "PROPFIND"]) {
    const { answer, paths } = await exchange(`${method} /templates HTTP/1.1\r\nHost: evil.example\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.body).error.code, paths]).toEqual([421, "misdirected_request", []]);
  }
});

it("every answer refuses frames and features, and asks for https where the origin is https", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [origin, security] of [
    ["", undefined],
    ["http://cards.example.com", undefined],
    ["https://cards.example.com", "max-age=31536000"],
  ] as const) {
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", origin);
    for (const path of ["/templates", "/api/service/templates"]) {
      const { headers } = (await exchange(get(path))).answer;
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("strict-transport-security")).toBe(security);
    }
  }
});

it("the first request through a proxy that is not trusted is warned of, once", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("SERVICE_AUTH_ENABLED", "true");
  vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "https://cards.example.com");
  const lines = captureLog();
  const forwarded = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n";
  for (const request of [get("/healthz"), forwarded, forwarded]) {
    await exchange(request);
  }
  expect(lines.filter((line) => line.includes("SERVICE_TRUST_PROXY=true"))).toHaveLength(1);
});
