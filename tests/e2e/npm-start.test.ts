import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failedStart, firstSlug, render, STARTS_TIMEOUT_MS, start } from "./started.ts";

vi.setConfig({ testTimeout: STARTS_TIMEOUT_MS });

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
