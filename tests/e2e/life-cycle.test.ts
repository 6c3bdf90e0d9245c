import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { parseAnswer, RawConnection, type Service, startService } from "./service.ts";

const RENDER = "/api/service/images/render";

/** What a built tree needs at most from `npm start` to its first picture, in milliseconds. */
const FIRST_RENDER_LIMIT_MS = 3_000;

const running: Service[] = [];

async function start(env?: Record<string, string>): Promise<Service> {
  const service = await startService(env);
  running.push(service);
  return service;
}

afterEach(async () => {
  for (const service of running.splice(0)) if (service.npm.exitCode === null) await service.stop();
});

async function firstSlug(origin: string): Promise<string> {
  const templates = z.array(TemplateSummary).parse(await (await fetch(`${origin}/api/service/templates`)).json());
  return templates[0]?.slug ?? "";
}

function render(origin: string, slug: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(origin + RENDER, { method: "POST", headers, body: JSON.stringify({ template: slug }) });
}

/** Starts once and expects the command to end by itself. */
function failedStart(env: Record<string, string>): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("npm", ["start"], {
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: 20_000,
  });
  return { status, output: stdout + stderr };
}

describe("npm start", () => {
  it("on a built tree renders within three seconds", async () => {
    await (await start()).stop();
    const startedAt = performance.now();
    const { origin } = await start();
    const listeningMs = performance.now() - startedAt;
    const response = await render(origin, await firstSlug(origin));
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    const firstRenderMs = performance.now() - startedAt;
    expect(firstRenderMs).toBeLessThan(FIRST_RENDER_LIMIT_MS);
    if (process.env.SHOW_FIGURES) console.log({ listeningMs, firstRenderMs });
  });

  it("names every fault of the environment and does not start", () => {
    const { status, output } = failedStart({ PORT: "http", SERVICE_LOG_LEVEL: "loud" });
    expect(status).toBe(1);
    expect(output).toContain('PORT: got "http"');
    expect(output).toContain('SERVICE_LOG_LEVEL: got "loud"');
  });

  it("says that a port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const { status, output } = failedStart({ PORT: String(port), HOST: "127.0.0.1" });
    other.close();
    expect(status).toBe(1);
    expect(output).toContain("the port is in use");
  });

  it("serves with a faulty render configuration, warns, and answers renders with 503", async () => {
    const { origin, output } = await start({ SERVICE_RENDER_QUEUE: "many", SERVICE_RENDR_QUEUE: "1" });
    expect(output()).toContain('SERVICE_RENDER_QUEUE: got "many"');
    expect(output()).toContain("Did you mean SERVICE_RENDER_QUEUE?");
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${origin}/readyz`)).status).toBe(503);
    const response = await render(origin, "any");
    expect(response.status).toBe(503);
    const want = expect.stringContaining("SERVICE_RENDER_QUEUE: want a number of waiting renders");
    expect(await response.json()).toMatchObject({ error: { code: "misconfigured", message: want } });
    expect(await (await fetch(origin)).text()).toContain(await firstSlug(origin));
  });

  it("never renders for everyone when authentication is asked for", async () => {
    const { origin } = await start({ SERVICE_AUTH_ENABLED: "true" });
    for (const response of [await render(origin, "any"), await fetch(`${origin}/api/service/tokens`)]) {
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: { code: "misconfigured" } });
    }
    const page = await fetch(origin);
    expect(await page.text()).toContain("no access layer");
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });
});

describe("SIGTERM", () => {
  it("lets running requests end, refuses new ones, and exits 0", async () => {
    const service = await start();
    const slug = await firstSlug(service.origin);
    const renders = Array.from({ length: 6 }, async () => {
      const response = await render(service.origin, slug);
      return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
    });
    const body = JSON.stringify({ template: slug });
    const late = new RawConnection(service.port).send(
      `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const idle = new RawConnection(service.port).send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await sleep(150);
    const stopped = service.stop();
    await idle.closed;
    await expect(fetch(`${service.origin}/healthz`)).rejects.toThrow();
    late.send(body);
    const answer = parseAnswer(await late.answer().then(() => late.text));
    expect([200, 503]).toContain(answer.status);
    expect(answer.headers.get("connection")).toBe("close");
    for (const { status, bytes } of await Promise.all(renders)) {
      expect([200, 503]).toContain(status);
      expect(bytes).toBeGreaterThan(0);
    }
    const { code, ms } = await stopped;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(30_000);
    expect(service.output()).toContain("Stopped.");
  });

  it("does not wait for connections that carry no request", async () => {
    const service = await start();
    const silent = new RawConnection(service.port);
    const halfway = new RawConnection(service.port).send("GET / HTTP/1.1\r\nHost:");
    await sleep(100);
    const { code, ms } = await service.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(5_000);
    await Promise.all([silent.closed, halfway.closed]);
  });
});

describe("a first start", () => {
  it("of several processes at once builds once", async () => {
    const services = await Promise.all([start(), start(), start()]);
    for (const { origin } of services) expect((await fetch(`${origin}/readyz`)).status).toBeLessThanOrEqual(503);
    const builds = services.filter((service) => service.output().includes("Building the service …"));
    expect(builds.length).toBeLessThanOrEqual(1);
  });
});
