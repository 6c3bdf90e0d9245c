import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { COMPRESSIBLE_LIMIT_BYTES, UNCOMPRESSED_BYTES } from "#lib/http/http-limits.ts";
import { currentRequestContext } from "#lib/http/server/request-context.ts";
import { exchangeRaw } from "../../e2e/service.ts";
import { serveApplication } from "./served.ts";

const TEXT = "the same words again, ".repeat(200);
const HTML = { "Content-Type": "text/html; charset=utf-8" };
const SESSION = "Cookie: service_session=abc";
const OWN = "Sec-Fetch-Site: same-origin";

type Send = (response: ServerResponse) => void;

let send: Send;
let port: number;

/** Sends a response as Next does: it sets the headers one by one. */
function sendText(text: string, headers: Record<string, string> = HTML): Send {
  return (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.flushHeaders();
    response.write(text.slice(0, 10));
    response.end(text.slice(10));
  };
}

beforeEach(async () => {
  send = sendText(TEXT);
  const { server } = await serveApplication(async (_request, response) => send(response));
  port = (server.address() as { port: number }).port;
});

/** @param request method and target */
async function ask(request: string, ...headers: string[]) {
  const answer = await exchangeRaw(port, [`${request} HTTP/1.1`, ...headers].join("\n"));
  const { headers: got } = answer;
  const [encoding, length, vary, tag] = ["content-encoding", "content-length", "vary", "etag"].map((name) =>
    got.get(name),
  );
  return { ...answer, encoding, length, vary, tag };
}

const isCompressed = async (request: string, ...headers: string[]) =>
  (await ask(request, "Accept-Encoding: br", ...headers)).encoding === "br";

describe("a response of text", () => {
  it.each(["br", "gzip"])("is sent in %s, with the length of what is sent", async (encoding) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { "Accept-Encoding": encoding } });
    expect(await response.text()).toBe(TEXT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-encoding": encoding,
      vary: "Accept-Encoding",
    });
    expect(Number(response.headers.get("content-length"))).toBeLessThan(TEXT.length / 10);
  });

  it("is sent as it is to a client that accepts no encoding, and varies all the same", async () => {
    const answer = await ask("GET /");
    expect(answer).toMatchObject({ encoding: undefined, vary: "Accept-Encoding" });
    expect(answer.body).toContain(TEXT.slice(10));
  });

  it.each(["br", "identity"])("takes the encodings and callbacks of its writer, when sent as %s", async (encoding) => {
    const called: string[] = [];
    send = (response) => {
      response.setHeader("Content-Type", "text/plain");
      response.write("4pyT", "base64", () => called.push("write"));
      response.write(Buffer.from(TEXT));
      response.end(() => called.push("end"));
    };
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { "Accept-Encoding": encoding } });
    expect(await response.text()).toBe(`✓${TEXT}`);
    await expect.poll(() => called).toEqual(["write", "end"]);
  });

  it("keeps what it varied by", async () => {
    send = sendText(TEXT, { ...HTML, Vary: "rsc" });
    expect((await ask("GET /", "Accept-Encoding: br")).vary).toBe("rsc, Accept-Encoding");
  });

  it.each([
    ["image/png", "rsc, next-router-state-tree", undefined],
    ["image/png", "rsc, Accept", "Accept"],
    ["text/x-component", "rsc", "rsc, Accept-Encoding"],
  ])("of type %s that varies by %s is sent with %s", async (type, vary, sent) => {
    send = sendText(TEXT, { "Content-Type": type, Vary: vary });
    expect((await ask("GET /")).vary).toBe(sent);
  });

  it("loses the strength of its tag, which would name other bytes", async () => {
    send = sendText(TEXT, { ...HTML, ETag: '"one"' });
    expect((await ask("GET /", "Accept-Encoding: br")).tag).toBe('W/"one"');
    expect((await ask("GET /")).tag).toBe('"one"');
  });

  it("has the same headers for HEAD", async () => {
    expect(await ask("HEAD /", "Accept-Encoding: gzip")).toMatchObject({
      encoding: "gzip",
      length: undefined,
      vary: "Accept-Encoding",
      body: "",
    });
  });

  it("that a route has set the length of is sent with its new length", async () => {
    send = (response) => {
      const context = currentRequestContext();
      if (context) context.contentLength = TEXT.length;
      context?.sendBytes?.(Buffer.from(TEXT));
      response.setHeader("Content-Type", "application/json");
      response.end();
    };
    const response = await fetch(`http://127.0.0.1:${port}/api/x`);
    expect(await response.text()).toBe(TEXT);
    expect(Number(response.headers.get("content-length"))).toBeLessThan(TEXT.length / 10);
    expect(await ask("HEAD /api/x")).toMatchObject({ encoding: undefined, length: String(TEXT.length) });
  });
});

describe("nothing is compressed of", () => {
  it.each([
    ["a picture", { "Content-Type": "image/png" }],
    ["a stream of events", { "Content-Type": "text/event-stream" }],
    ["a response that is encoded already", { ...HTML, "Content-Encoding": "zstd" }],
    ["a response that sets a cookie", { ...HTML, "Set-Cookie": "a=b" }],
  ])("%s", async (_name, headers: Record<string, string>) => {
    send = sendText(TEXT, headers);
    expect(await isCompressed("GET /")).toBe(false);
  });

  it("an error", async () => {
    send = (response) => {
      response.statusCode = 404;
      sendText(TEXT)(response);
    };
    expect(await ask("GET /", "Accept-Encoding: br")).toMatchObject({ encoding: undefined, vary: undefined });
  });

  it("the response to a POST request, which may hold a new secret", async () => {
    expect(await isCompressed("POST /api/service/tokens")).toBe(false);
  });

  it("a part of a file", async () => {
    expect(await isCompressed("GET /", "Range: bytes=0-1")).toBe(false);
  });

  it("a few bytes, unless the client refuses them plain", async () => {
    send = sendText(TEXT.slice(0, UNCOMPRESSED_BYTES - 1));
    expect(await isCompressed("GET /")).toBe(false);
    expect(await isCompressed("GET /", "Accept-Encoding: identity;q=0")).toBe(true);
  });

  it("a response that would take too much memory: it is sent while it is made", async () => {
    const large = "x".repeat(COMPRESSIBLE_LIMIT_BYTES);
    send = (response) => {
      response.setHeader("Content-Type", "text/plain");
      for (const part of [large, "y"]) response.write(part);
      response.end("z");
    };
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(response.headers.get("content-encoding")).toBe(null);
    expect(await response.text()).toBe(`${large}yz`);
  });
});

describe("a request with credentials gets a compressed response", () => {
  it.each([
    ["from a page of the service", true, "GET /account", [SESSION, OWN]],
    ["from the address bar", true, "GET /account", [SESSION, "Sec-Fetch-Site: none"]],
    ["for the data of a page", true, "GET /users?_rsc=1abc", [SESSION, OWN]],
    ["from another site", false, "GET /account", [SESSION, "Sec-Fetch-Site: cross-site"]],
    ["from a neighbouring site", false, "GET /account", [SESSION, "Sec-Fetch-Site: same-site"]],
    ["from who knows where", false, "GET /account", [SESSION]],
    ["with text that it may repeat", false, "GET /users?search=guess", [SESSION, OWN]],
    ["with text beside the parameter of Next", false, "GET /users?_rsc=1abc&search=guess", [SESSION, OWN]],
    ["with a token, from anywhere", false, "GET /api/x", ["Authorization: Bearer x"]],
  ])("%s: %s", async (_name, compressed, request, headers) => {
    expect(await isCompressed(request, ...headers)).toBe(compressed);
  });
});

it("a request without credentials gets a compressed response from anywhere, with any query", async () => {
  expect(await isCompressed("GET /?search=guess", "Cookie: theme=dark", "Sec-Fetch-Site: cross-site")).toBe(true);
});

it("an error in the middle of a response replaces it, because nothing of it was sent", async () => {
  send = (response) => {
    response.setHeader("Content-Type", HTML["Content-Type"]);
    response.write(TEXT);
    throw new Error("The application fails midway.");
  };
  const { status, length, body } = await ask("GET /", "Accept-Encoding: br");
  expect([status, length]).toEqual([500, String(body.length)]);
  expect(JSON.parse(body)).toMatchObject({ error: { code: "internal" } });
});

it("an error after the end of a response, while it is compressed, does no harm", async () => {
  send = (response) => {
    sendText(TEXT)(response);
    throw new Error("The application fails late.");
  };
  expect((await ask("GET /", "Accept-Encoding: br")).status).toBe(500);
});
