import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { BEFORE_SIGN_IN, renderPng, send } from "../../app/ui/api/api.ts";
import { ApiFailure } from "../../app/ui/api/api-failure.ts";

const ISSUES = [
  { path: "/name", code: "too_long", message: "Got 90 characters, want at most 80." },
  { path: "/data/points/0", code: "invalid", message: "Got a number, want text." },
  { path: "", code: "unknown_key", message: 'Unknown key "x".' },
];

const refusal = (code: string, extra = {}) =>
  JSON.stringify({
    error: { code, message: `It was ${code}.`, requestId: "0199f000-0000-7000-8000-000000000000", ...extra },
  });

/** The type of what the render route answers with. A proxy may answer with a page. */
let renderedType = "image/png";

/** The responses by path. */
const ANSWERS: Record<string, (response: ServerResponse) => unknown> = {
  "/ok": (response) => response.end('{"status":"ok"}'),
  "/garbled": (response) => response.end("<html>"),
  "/invalid": (response) => response.writeHead(400).end(refusal("invalid_request", { issues: ISSUES })),
  "/taken": (response) => response.writeHead(409).end(refusal("email_taken")),
  "/limited": (response) => response.writeHead(429, { "retry-after": "7" }).end(refusal("rate_limited")),
  "/proxy": (response) => response.writeHead(502).end("<h1>Bad gateway</h1>"),
  "/ended": (response) => response.writeHead(401).end(refusal("unauthorized")),
  "/api/service/login": (response) => response.writeHead(401).end(refusal("unauthorized")),
  "/reset": (response) => response.destroy(),
  "/silent": () => undefined,
  "/api/service/images/render": (response) =>
    response.writeHead(200, { etag: '"e"', "content-type": renderedType }).end(Buffer.from([137, 80])),
};

let server: Server;
const assign = vi.fn();
const received: { method?: string; type?: string | undefined; body: string }[] = [];
const pageUsers: (string | undefined)[] = [];
/** What the header of the page names. Undefined for a page without a user. */
let pageUser: string | undefined;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    pageUsers.push(request.headers["x-page-user"]?.toString());
    received.push({ method: request.method ?? "", type: request.headers["content-type"], body });
    ANSWERS[request.url ?? ""]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Browsers resolve relative addresses, and know the address of the page.
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => real(origin + path, init));
  vi.stubGlobal("document", { querySelector: () => pageUser && { dataset: { user: pageUser } } });
  const location = { pathname: "/users/7", search: "?tab=tokens", assign };
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location }));
});

afterEach(() => {
  assign.mockClear();
  received.length = 0;
  pageUsers.length = 0;
});

afterAll(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

async function failureAt(path: string): Promise<ApiFailure> {
  const error: unknown = await send("POST", path, {}).catch((caught: unknown) => caught);
  if (!(error instanceof ApiFailure)) throw new Error(`Got ${String(error)}, want an ApiFailure.`);
  return error;
}

describe("the client of the pages", () => {
  it("sends JSON and returns the response body", async () => {
    expect(await send("PATCH", "/ok", { name: "Ada" })).toEqual({ status: "ok" });
    expect(await send("DELETE", "/ok")).toEqual({ status: "ok" });
    expect(received).toEqual([
      { method: "PATCH", type: "application/json", body: '{"name":"Ada"}' },
      { method: "DELETE", type: undefined, body: "" },
    ]);
  });

  it("names the user whose page it is", async () => {
    await send("PATCH", "/ok", {});
    pageUser = "7";
    await send("DELETE", "/ok");
    pageUser = undefined;
    expect(pageUsers).toEqual([undefined, "7"]);
  });

  it("throws the message of the service, with the issues of the fields", async () => {
    const failure = await failureAt("/invalid");
    expect(failure).toMatchObject({
      status: 400,
      code: "invalid_request",
      requestId: "0199f000-0000-7000-8000-000000000000",
    });
    expect(failure.issueAt("/name")).toBe(ISSUES[0]?.message);
    expect(failure.issueAt("/data/points")).toBe(ISSUES[1]?.message);
    expect(failure.issueAt("/nam")).toBeUndefined();
    expect(failure.messagesExceptAt(["/name", "/data/points"])).toEqual(['Unknown key "x".']);
    expect(failure.messagesExceptAt([])).toHaveLength(3);
    const limited = await failureAt("/limited");
    expect([limited.retryAfterSeconds, limited.messagesExceptAt(["/name"])]).toEqual([7, ["It was rate_limited."]]);
  });

  it("assigns errors without issues to their field", async () => {
    const failure = await failureAt("/taken");
    expect(failure.issueAt("/email")).toBe("It was email_taken.");
    expect(failure.messagesExceptAt(["/email"])).toEqual([]);
    expect(failure.messagesExceptAt(["/name"])).toEqual(["It was email_taken."]);
  });

  it("throws a failure when the response does not come from the service", async () => {
    expect(await failureAt("/reset")).toMatchObject({ status: 0, code: "network" });
    expect(await failureAt("/proxy")).toMatchObject({ status: 502, code: "unexpected" });
    expect(await failureAt("/garbled")).toMatchObject({ status: 200, code: "unexpected" });
  });

  it("redirects to the sign-in page when the session has ended, but not after a wrong password", async () => {
    expect((await failureAt("/ended")).code).toBe("unauthorized");
    expect(assign.mock.calls).toEqual([["/login?next=%2Fusers%2F7%3Ftab%3Dtokens"]]);
    await failureAt("/api/service/login");
    expect(assign).toHaveBeenCalledTimes(1);
  });

  it("redirects with the address that the page writes at that moment", async () => {
    const { location } = window;
    const write = () => Object.assign(location, { search: "?tab=sessions" });
    window.addEventListener(BEFORE_SIGN_IN, write, { once: true });
    await failureAt("/ended");
    expect(assign.mock.calls).toEqual([["/login?next=%2Fusers%2F7%3Ftab%3Dsessions"]]);
    location.search = "?tab=tokens";
  });

  it("throws the reason of an aborted signal", async () => {
    const abort = new AbortController();
    const sent = send("POST", "/silent", {}, { signal: abort.signal });
    abort.abort(new Error("newer"));
    await expect(sent).rejects.toThrow("newer");
  });

  it("returns the picture with its headers", async () => {
    const { png, headers } = await renderPng({ template: "a/b" });
    expect([png.size, headers.get("etag"), received[0]?.body]).toEqual([2, '"e"', '{"template":"a/b"}']);
  });

  it("throws a failure instead of the page that a proxy answers with in place of the picture", async () => {
    renderedType = "text/html; charset=utf-8";
    const rendered = renderPng({ template: "a/b" });
    await expect(rendered).rejects.toMatchObject({ status: 200, code: "unexpected" });
    await expect(rendered).rejects.toThrow("Got a response that is not a picture. Try again.");
    renderedType = "image/png";
  });
});
