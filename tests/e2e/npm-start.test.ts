import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failedStart, firstSlug, render, STARTS_TIMEOUT_MS, start } from "./started.ts";

vi.setConfig({ testTimeout: STARTS_TIMEOUT_MS });

/** What people read at a terminal. */
const TEXT = { SERVICE_LOG_FORMAT: "text" };

/** The lines that the service printed. npm repeats the command first, and may warn. */
function linesOf(output: string): string[] {
  return output.split("\n").filter((line) => line !== "" && !/^(?:> |npm )/.test(line));
}

describe("npm start", () => {
  it("on a built tree builds and compiles nothing, serves, and shows the port that it took", async () => {
    const { origin, port, output } = await start({ PORT: "0" });
    expect((await render(origin, await firstSlug(origin))).status).toBe(200);
    expect(await (await fetch(origin)).text()).toContain(`http://localhost:${port}/api/service/images/render`);
    expect(output()).not.toContain("Building");
    expect(output()).not.toContain("next.config");
  });

  it("names every fault of the environment and does not start", async () => {
    const message = await failedStart({ ...TEXT, PORT: "http", SERVICE_LOG_LEVEL: "loud" });
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

  it("says in one line which folder cannot be used, whatever the level of the log", async () => {
    // A file stands where the folder belongs, which also stops root.
    const message = await failedStart({
      SERVICE_LOG_LEVEL: "silent",
      SERVICE_AUTH_ENABLED: "true",
      DATABASE_URL: "",
      SERVICE_DATABASE_DIR: "package.json/database",
    });
    const lines = linesOf(message);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "fatal" }]);
    for (const part of ["SERVICE_DATABASE_DIR", "package.json/database", "ENOTDIR"]) expect(lines[0]).toContain(part);
  });

  it("serves with a faulty render configuration, warns, and answers renders with 503; every line of its log is JSON", async () => {
    const faults = { SERVICE_RENDER_QUEUE: "many", SERVICE_RENDR_QUEUE: "1", SERVICE_AUTH_ENABLED: "TRUE" };
    const { origin, output } = await start(faults);
    await expect.poll(output).toContain('SERVICE_RENDER_QUEUE: got \\"many\\"');
    await expect.poll(output).toContain("Did you mean SERVICE_RENDER_QUEUE?");
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${origin}/readyz`)).status).toBe(503);
    const response = await render(origin, "any");
    expect(response.status).toBe(503);
    const want = expect.stringContaining("SERVICE_RENDER_QUEUE: want a number of waiting renders");
    expect(await response.json()).toMatchObject({ error: { code: "misconfigured", message: want } });
    const page = await (await fetch(origin)).text();
    expect(page).toContain(await firstSlug(origin));
    const levels = ["debug", "info", "warn", "error"];
    const lines = linesOf(output()).map((line): { level: string; msg: string } => JSON.parse(line));
    for (const { level } of lines) expect(levels).toContain(level);
    expect(lines.filter(({ msg }) => msg.startsWith("OPEN MODE") && msg.includes('"TRUE"'))).toHaveLength(1);
    expect(page).toContain("Open mode: everyone who can reach this server may render.");
  });
});
