import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { ConfigError } from "#lib/environment/config-error.ts";
import { AppError } from "#lib/errors.ts";
import { PAGE_RETRY_SECONDS } from "#lib/http/http-limits.ts";
import { setPageError, setPageNotFound } from "#lib/http/server/page-error.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { readMetric } from "#lib/metrics.ts";
import { captureLog } from "../../captured-log.ts";

let server: Server;

/** Starts a server that responds with a page as Next does. @returns a function that requests the page */
async function serve(make: (response: ServerResponse) => Promise<void>) {
  server = createHttpServer(async (_request, response) => make(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}/users?secret=x`, { headers });
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const away = () => new AppError("unavailable", "The database is away.", { headers: { "Retry-After": "2" } });

/** Sends the head first, as Next does when the data of a page is requested. */
async function makePart(response: ServerResponse): Promise<void> {
  response.flushHeaders();
  response.write("one, ");
  await sleep(1);
  setPageError(away());
  response.write(Buffer.from("two"));
  response.end();
}

describe("a page with an error", () => {
  it("has the status and the Retry-After of its error", async () => {
    const ask = await serve(async (response) => {
      setPageError(away());
      response.end("page");
    });
    const response = await ask();
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([503, "2", "page"]);
  });

  it("has them as data too, although Next sends the head before it renders the page", async () => {
    const response = await (await serve(makePart))({ rsc: "1" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await response.text()).toBe("one, two");
  });

  it("has a default Retry-After", async () => {
    const ask = await serve(async (response) => {
      setPageError(new ConfigError([{ variable: "SERVICE_TEMPLATES_DIR", message: "got a file" }]));
      response.end();
    });
    const response = await ask();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, String(PAGE_RETRY_SECONDS)]);
  });

  it("is logged and counted once, with its reason, also where its title and its body fail", async () => {
    const count = async () =>
      (await readMetric("platen_refusals_total")).find(({ labels }) => labels.code === "misconfigured")?.value ?? 0;
    const lines = captureLog();
    const before = await count();
    const fault = new ConfigError([{ variable: "SERVICE_TEMPLATES_DIR", message: "got a file" }]);
    const told: unknown[] = [];
    const ask = await serve(async (response) => {
      for (const _part of ["title", "page"])
        told.push(setPageError(new AppError("misconfigured", "Faulty.", { cause: fault })));
      response.end();
    });
    const requestId = (await ask()).headers.get("x-request-id");
    expect(told).toMatchObject([{ requestId }, { requestId }]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: "warn",
        requestId,
        method: "GET",
        path: "/users",
        status: 503,
        code: "misconfigured",
        reason: fault.message,
      },
    ]);
    expect((await count()) - before).toBe(1);
  });

  it("logs the stack of a bug, which the page does not show", async () => {
    const lines = captureLog();
    const ask = await serve(async (response) => {
      expect(setPageError(new TypeError("secret")).error.message).not.toContain("secret");
      response.end();
    });
    expect((await ask()).status).toBe(500);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "error", err: { message: "secret" } }]);
  });
});

describe("a page that is requested as data", () => {
  it("is replaced by the error where it fails half way", async () => {
    const ask = await serve(async (response) => {
      response.write("half a page");
      throw new AppError("overloaded", "Busy.");
    });
    const response = await ask({ rsc: "1" });
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: "overloaded" } }]);
  });
});

describe("a page that is not there", () => {
  it("has the status 404, and leaves no line in the log", async () => {
    const lines = captureLog();
    const ask = await serve(async (response) => {
      expect(setPageNotFound()).toBe(true);
      response.end("page");
    });
    const response = await ask();
    expect([response.status, await response.text()]).toEqual([404, "page"]);
    expect(lines).toEqual([]);
  });

  it("is left to Next where the browser navigates to it, so that the page is not loaded anew", async () => {
    const ask = await serve(async (response) => void response.end(String(setPageNotFound())));
    const response = await ask({ rsc: "1" });
    expect([response.status, await response.text()]).toEqual([200, "false"]);
  });
});
