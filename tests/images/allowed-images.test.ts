import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readImage } from "#lib/images/read-image.ts";
import { fetchImage } from "#lib/images/remote/fetch-image.ts";
import { picture } from "./files.ts";
import { fetchFrom, host, NAME, remoteOf, serve } from "./remote-server.ts";

afterEach(() => vi.unstubAllEnvs());

describe("an allowed image", () => {
  test("is requested once, without headers of the caller and without a proxy", async () => {
    vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:9");
    vi.stubEnv("http_proxy", "http://127.0.0.1:9");
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const { answer, server } = await fetchFrom((_, response) => response.setHeader("Set-Cookie", "a=b").end("bytes"), {
      path: "/a%20b.png?size=2&x=%2F#fragment",
    });
    expect(answer).toEqual({ bytes: Buffer.from("bytes") });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "GET", url: "/a%20b.png?size=2&x=%2F", httpVersion: "1.1" });
    expect(request?.headers).toEqual({
      host: `${NAME}:${server.port}`,
      connection: "close",
      "user-agent": expect.stringMatching(/^Platen\/\d/),
      accept: expect.stringMatching(/^image\/png, /),
      "accept-encoding": "identity",
    });
    expect(server.requests).toHaveLength(1);
  });

  test("may be three redirects away, and cookies are not sent along", async () => {
    const { answer, server } = await fetchFrom(
      (request, response) => {
        const hop = Number(request.url?.slice(1));
        if (hop === 3) response.end("here");
        else
          response.writeHead([301, 302, 307][hop] ?? 308, { Location: `${hop + 1}`, "Set-Cookie": "a=b" }).end("moved");
      },
      { path: "/0" },
    );
    expect(answer).toEqual({ bytes: Buffer.from("here") });
    expect(server.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test.each([
    ["a name in UTF-8", "/grün.png?für=東京", "utf8", "/gr%c3%bcn.png?f%c3%bcr=%e6%9d%b1%e4%ba%ac"],
    ["a name in another encoding", "/grün.png", "latin1", "/gr%fcn.png"],
    ["an escaped name", "/gr%C3%BCn.png", "utf8", "/gr%C3%BCn.png"],
  ] as const)("may be redirected to with %s, whose bytes stay the same", async (_, location, encoding, url) => {
    const { answer, server } = await fetchFrom(({ url }, response) => {
      if (url !== "/a.png") response.end("here");
      else response.writeHead(302, { Location: Buffer.from(location, encoding).toString("latin1") }).end();
    });
    expect(answer).toEqual({ bytes: Buffer.from("here") });
    expect(server.requests[1]?.url).toBe(url);
  });

  test("may come after provisional responses that nobody asked for (RFC 9110, 15.2)", async () => {
    const { answer } = await fetchFrom((_, response) => {
      response.writeContinue();
      response.writeProcessing();
      response.writeEarlyHints({ link: "</a.css>; rel=preload" }, () => response.end("bytes"));
    });
    expect(answer).toEqual({ bytes: Buffer.from("bytes") });
  });

  test("may come from a subdomain that the operator allows", async () => {
    const server = await serve((_, response) => response.end("bytes"));
    const remote = remoteOf([host("example.com", { port: server.port, isWildcard: true, isPrivate: true })]);
    expect(await fetchImage(`http://a.b.Example.com:${server.port}/`, remote)).toEqual({ bytes: Buffer.from("bytes") });
  });
});

test("the content of an image decides its format, not the Content-Type header", async () => {
  const bytes = await picture(40, 30).webp().toBuffer();
  const server = await serve((_, response) => response.setHeader("Content-Type", "text/html").end(bytes));
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
  const opened = await readImage(`http://${NAME}:${server.port}/`, { remote });
  if ("fault" in opened) return expect.fail(opened.fault);
  expect(await opened.decode()).toEqual({ url: `data:image/webp;base64,${bytes.toString("base64")}` });
});

test("an aborted fetch ends at once, even while its host is looked up", async () => {
  const gone = new AbortController();
  const find = () => {
    gone.abort(new Error("gone"));
    return new Promise<never>(() => undefined);
  };
  // The test would time out before the fetch does.
  const remote = remoteOf([host(NAME)], { find, timeoutMs: 60_000 });
  await expect(fetchImage(`http://${NAME}/`, remote, gone.signal)).rejects.toThrow("gone");
});

test("an aborted fetch closes its connection", async () => {
  const gone = new AbortController();
  const server = await serve(() => gone.abort(new Error("gone")));
  const remote = remoteOf([host(NAME, { port: server.port, isPrivate: true })]);
  await expect(fetchImage(`http://${NAME}:${server.port}/`, remote, gone.signal)).rejects.toThrow("gone");
  await expect.poll(server.open).toBe(0);
});

test("at most sixteen images are fetched at once, and the others follow", async () => {
  const COUNT = 40;
  const LIMIT = 16;
  const waiting: ServerResponse[] = [];
  let [most, answered] = [0, 0];
  const server = await serve((_, response) => {
    waiting.push(response);
    most = Math.max(most, waiting.length);
    if (waiting.length !== Math.min(LIMIT, COUNT - answered)) return;
    // A request beyond the limit would arrive in this time.
    setTimeout(() => {
      answered += waiting.length;
      for (const open of waiting.splice(0)) open.end("x");
    }, 50);
  });
  // One host alone would get fewer.
  const names = [NAME, "other.example"];
  const remote = remoteOf(names.map((name) => host(name, { port: server.port, isPrivate: true })));
  const all = Array.from({ length: COUNT }, (_, at) => fetchImage(`http://${names[at % 2]}:${server.port}/`, remote));
  expect(await Promise.all(all)).toEqual(Array.from({ length: COUNT }, () => ({ bytes: Buffer.from("x") })));
  expect(server.connections).toBe(COUNT);
  expect(most).toBe(LIMIT);
});
