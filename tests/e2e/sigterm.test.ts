import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { SOON_MS } from "#tests/pace.ts";
import { groupMembers, ownDataDir, processesNaming, removeDir } from "../render/rig.ts";
import { RENDER } from "./answers.ts";
import { parseAnswer, RawConnection } from "./service.ts";
import { firstSlug, render, STARTS_TIMEOUT_MS, start } from "./started.ts";

vi.setConfig({ testTimeout: STARTS_TIMEOUT_MS });

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
      expect(answer.status, `${text.slice(0, 2_000)}\n${service.output()}`).toBe(200);
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
