import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import type { ErrorAnswer } from "#lib/schemas/error.ts";
import { TemplateSummary } from "#lib/schemas/template.ts";
import { SOON_MS } from "#tests/pace.ts";
import { groupMembers, ownDataDir, processesNaming, removeDir } from "../render/rig.ts";
import { RENDER } from "./answers.ts";
import { parseAnswer, RawConnection, type Service, startService } from "./service.ts";
import { copyTree, cutBuild, isBuilt, removeTree } from "./tree.ts";

/** Two concurrent builds on a busy machine, in milliseconds. */
const BUILDS_TIMEOUT_MS = 600_000;

/** Several starts on a busy machine, in milliseconds. */
const STARTS_TIMEOUT_MS = 180_000;

vi.setConfig({ testTimeout: STARTS_TIMEOUT_MS });

const running: Service[] = [];

async function start(env?: Record<string, string>, dir?: string): Promise<Service> {
  const service = await startService(env, dir);
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

/** Starts the service where that has to fail. @returns what it printed, and its exit code */
function failedStart(env: Record<string, string>, dir?: string): Promise<string> {
  return start(env, dir).then(
    () => expect.fail("The service started."),
    (error: Error) => error.message,
  );
}

describe("npm start", () => {
  it("on a built tree builds nothing, serves, and shows the port that it took", async () => {
    const { origin, port, output } = await start({ PORT: "0" });
    expect((await render(origin, await firstSlug(origin))).status).toBe(200);
    expect(await (await fetch(origin)).text()).toContain(`http://localhost:${port}/api/service/images/render`);
    expect(output()).not.toContain("Building");
  });

  it("names every fault of the environment and does not start", async () => {
    const message = await failedStart({ PORT: "http", SERVICE_LOG_LEVEL: "loud" });
    expect(message).toContain("npm start ended with 1:");
    expect(message).toContain('PORT: got "http"');
    expect(message).toContain('SERVICE_LOG_LEVEL: got "loud"');
  });

  it("says that a port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const message = await failedStart({ PORT: String(port) });
    expect(message).toContain("npm start ended with 1:");
    expect(message).toContain("the port is in use");
  });

  it("serves with a faulty render configuration, warns, and answers renders with 503", async () => {
    const { origin, output } = await start({ SERVICE_RENDER_QUEUE: "many", SERVICE_RENDR_QUEUE: "1" });
    await expect.poll(output).toContain('SERVICE_RENDER_QUEUE: got "many"');
    await expect.poll(output).toContain("Did you mean SERVICE_RENDER_QUEUE?");
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${origin}/readyz`)).status).toBe(503);
    const response = await render(origin, "any");
    expect(response.status).toBe(503);
    const want = expect.stringContaining("SERVICE_RENDER_QUEUE: want a number of waiting renders");
    expect(await response.json()).toMatchObject({ error: { code: "misconfigured", message: want } });
    expect(await (await fetch(origin)).text()).toContain(await firstSlug(origin));
  });
});

describe("SIGTERM", () => {
  it("to npm alone also ends the server and its browser", async () => {
    const dataDir = await ownDataDir();
    try {
      const service = await start({ SERVICE_DATA_DIR: dataDir });
      expect((await render(service.origin, await firstSlug(service.origin))).status).toBe(200);
      expect(processesNaming(dataDir).length).toBeGreaterThan(0);
      expect((await service.stop("npm")).code).toBe(0);
      expect(groupMembers(service.npm.pid as number)).toEqual([]);
      expect(processesNaming(dataDir)).toEqual([]);
      await expect(fetch(`${service.origin}/healthz`)).rejects.toThrow();
    } finally {
      removeDir(dataDir);
    }
  });

  it("lets running requests end, refuses new ones, and exits 0", async () => {
    const service = await start();
    const body = JSON.stringify({ template: await firstSlug(service.origin) });
    const head = `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    // A client that got 100 Continue has been accepted.
    const accepted = Array.from({ length: 7 }, () =>
      new RawConnection(service.port).send(`${head}Expect: 100-continue\r\n\r\n`),
    );
    const idle = new RawConnection(service.port).send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => [...accepted, idle].filter(({ text }) => text === "")).toEqual([]);
    const [late, ...running] = accepted as [RawConnection, ...RawConnection[]];
    for (const connection of running) connection.send(body);
    const stopped = service.stop();
    await idle.closed;
    await expect(fetch(`${service.origin}/healthz`)).rejects.toThrow();
    late.send(body);
    for (const { closed } of accepted) await closed;
    for (const { text } of accepted) {
      const [invitation, ...rest] = text.split("\r\n\r\n");
      expect(invitation).toBe("HTTP/1.1 100 Continue");
      const answer = parseAnswer(rest.join("\r\n\r\n"));
      expect(answer.status).toBe(200);
      expect(answer.body.length).toBeGreaterThan(0);
    }
    const answer = parseAnswer(late.text.slice(late.text.indexOf("\r\n\r\n") + 4));
    expect(answer.headers.get("connection")).toBe("close");
    const { code, ms } = await stopped;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(30_000);
    expect(service.output()).toContain("Stopped.");
  });

  it("serves a request whose body is still arriving", async () => {
    const service = await start();
    const body = JSON.stringify({ template: await firstSlug(service.origin) });
    const head = `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const uploading = new RawConnection(service.port).send(`${head}Expect: 100-continue\r\n\r\n`);
    await expect.poll(() => uploading.text).toContain("100 Continue");
    uploading.send(body.slice(0, body.length / 2));
    const stopped = service.stop();
    await expect.poll(() => fetch(`${service.origin}/healthz`).catch(() => undefined)).toBeUndefined();
    uploading.send(body.slice(body.length / 2));
    await uploading.closed;
    expect(uploading.text).toContain("\r\n\r\nHTTP/1.1 200 OK\r\n");
    expect((await stopped).code).toBe(0);
  });

  it("turns /readyz to 503 and serves everything else until the delay is over, or another signal ends it", async () => {
    const service = await start({ SERVICE_DRAIN_DELAY_MS: String(STARTS_TIMEOUT_MS) });
    const slug = await firstSlug(service.origin);
    await expect.poll(async () => (await fetch(`${service.origin}/readyz`)).status).toBe(200);
    const closed = once(service.npm, "close");
    const signal = () => void process.kill(-(service.npm.pid as number), "SIGTERM");
    signal();
    await expect.poll(async () => (await fetch(`${service.origin}/readyz`)).status).toBe(503);
    const answers = await Promise.all([
      render(service.origin, slug),
      fetch(service.origin),
      fetch(`${service.origin}/healthz`),
    ]);
    // Node's client throws where nothing can catch it when a connection ends before the body of its answer is read.
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    for (const { status, headers } of answers) expect([status, headers.get("connection")]).toEqual([200, "close"]);
    // Signals within the first second are the same one.
    await expect
      .poll(() => {
        signal();
        return service.output();
      })
      .toContain("finishing running requests");
    expect(await closed).toEqual([0, null]);
    expect(service.output()).toContain("Stopped.");
  });

  it("does not wait for connections that carry no request", async () => {
    const service = await start();
    const silent = new RawConnection(service.port);
    const halfway = new RawConnection(service.port).send("GET / HTTP/1.1\r\nHost:");
    await Promise.all([silent, halfway].map(({ socket }) => once(socket, "connect")));
    // The server accepts connections in their order.
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(200);
    const { code, ms } = await service.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(SOON_MS);
    await Promise.all([silent.closed, halfway.closed]);
  });
});

describe("a tree that was never built", () => {
  /** Chromium is unpacked once for all tests. */
  const env = { SERVICE_DATA_DIR: resolve(".data") };
  const hasBuilt = (service: Service) => service.output().includes("Building the service …");
  let dir: string;

  beforeAll(() => {
    dir = copyTree();
    return () => removeTree(dir);
  });

  it(
    "is built once by processes that start together, even after a killed build, and served by each",
    async () => {
      await cutBuild(dir);
      expect(isBuilt(dir)).toBe(false);
      const dead = /^\d+-(\d+)-/.exec(readFileSync(join(dir, ".platen", "build.lock"), "utf8"))?.[1];
      expect(Number(dead)).toBeGreaterThan(0);
      const services = await Promise.all([start(env, dir), start(env, dir)]);
      expect(services.filter(hasBuilt)).toHaveLength(1);
      for (const { output } of services) expect(output()).not.toContain(`Waiting for process ${dead},`);
      for (const { origin } of services) expect((await render(origin, await firstSlug(origin))).status).toBe(200);
      for (const service of services) expect((await service.stop()).code).toBe(0);
      expect(isBuilt(dir)).toBe(true);
    },
    BUILDS_TIMEOUT_MS,
  );

  it("does not count as built when the build of Next is missing or another one", () => {
    expect(isBuilt(dir)).toBe(true);
    const id = join(dir, ".next", "BUILD_ID");
    const usual = readFileSync(id);
    writeFileSync(id, "another");
    expect(isBuilt(dir)).toBe(false);
    rmSync(id);
    expect(isBuilt(dir)).toBe(false);
    writeFileSync(id, usual);
    expect(isBuilt(dir)).toBe(true);
  });

  it("ends with the reason when Next cannot start it", async () => {
    const hook = join(dir, ".next", "server", "instrumentation.js");
    const usual = readFileSync(hook);
    writeFileSync(hook, "throw new Error('broken on purpose')");
    const message = await failedStart(env, dir);
    writeFileSync(hook, usual);
    expect(message).toContain("npm start ended with 1:");
    expect(message).toContain("broken on purpose");
    expect(message).toContain("The build cannot be started");
  });

  it("takes settings from .env files, at its start and in its routes, and the environment overrides them", async () => {
    writeFileSync(join(dir, ".env"), "SERVICE_RENDER_QUEUE=many\nSERVICE_RENDER_TIMEOUT_MS=soon\nHOST=localhost\n");
    writeFileSync(join(dir, ".env.local"), "SERVICE_CHROMIUM_SANDBOX=perhaps\n");
    const { origin, output } = await start({ ...env, SERVICE_RENDER_TIMEOUT_MS: "5000" }, dir);
    const { error } = (await (await render(origin, "any")).json()) as ErrorAnswer;
    for (const told of [output(), error.message]) {
      expect(told).toContain("SERVICE_RENDER_QUEUE: ");
      expect(told).toContain("SERVICE_CHROMIUM_SANDBOX: ");
      expect(told).not.toContain("SERVICE_RENDER_TIMEOUT_MS");
    }
    expect(origin).toContain("127.0.0.1");
  });
});
