import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyBudgetBytes } from "#lib/config.ts";
import { BODY_BUDGET_RESERVE_SHARE, LINGER_BYTES, RENDER_BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import type { TemplateSummary } from "#lib/schemas/template.ts";
import { SOON_MS } from "#tests/pace.ts";
import { codeOf, expectPicture, fetchedCode, nestedTemplate, postRender, RENDER } from "./answers.ts";
import { exchangeRaw, parseAnswer, type RawAnswer, RawConnection, type Service, startService } from "./service.ts";

let service: Service;
let template: TemplateSummary;

beforeAll(async () => {
  service = await startService();
  template = await nestedTemplate(service);
});

afterAll(async () => {
  await service?.stop();
});

const post = (body: BodyInit, headers?: Record<string, string>) => postRender(service, body, headers);
const expectRender = () => expectPicture(service, template.slug);

describe("a render", () => {
  it("takes bodies of 10.5 MB and of exactly 12,000,000 bytes, by length and chunked", async () => {
    const text = JSON.stringify({ template: template.slug });
    expect((await post(text.padEnd(10_500_000))).status).toBe(200);
    expect((await post(text.padEnd(RENDER_BODY_LIMIT_BYTES))).status).toBe(200);
    expect((await post(new Blob([text.padEnd(RENDER_BODY_LIMIT_BYTES)]).stream())).status).toBe(200);
  });

  it("takes a charset of utf-8 in any case, and no second content type", async () => {
    const body = JSON.stringify({ template: template.slug });
    expect((await post(body, { "content-type": 'application/json; charset="UTF-8"' })).status).toBe(200);
    const head = `POST ${RENDER} HTTP/1.1\nContent-Length: ${body.length}\nContent-Type: application/json`;
    expect(codeOf(await exchangeRaw(service.port, `${head}\nContent-Type: application/json`, body))).toBe(
      "unsupported_media_type",
    );
    expect(
      codeOf(await exchangeRaw(service.port, `${head}\nContent-Encoding: identity\nContent-Encoding: gzip`, body)),
    ).toBe("unsupported_media_type");
  });
});

describe("a render through Next, as under any other server", () => {
  /** Headers that differ between two responses to the same request. */
  const OWN_HEADERS = ["date", "server-timing", "x-request-id"];
  const plain = ({ status, headers, body }: RawAnswer) => ({
    status,
    headers: Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.includes(name))),
    body: body.replace(/"requestId":"[\w-]+"/, ""),
  });
  // The first render goes through Next, which loads the route then.
  beforeAll(expectRender);

  const json = (body: string) => [`Content-Length: ${Buffer.byteLength(body)}\nContent-Type: application/json`, body];

  it.each([
    ["a picture", "POST", () => json(JSON.stringify({ template: template.slug }))],
    [
      "a picture with strict handling",
      "POST",
      () => ["Prefer: handling=strict", ...json(JSON.stringify({ template: template.slug }))],
    ],
    ["an unknown template", "POST", () => json('{"template":"no/such"}')],
    ["broken JSON", "POST", () => json('{"template":')],
    ["text", "POST", () => ["Content-Length: 2\nContent-Type: text/plain", "{}"]],
    ["nothing", "POST", () => ["Content-Length: 0", ""]],
    ["chunks", "POST", () => ["Transfer-Encoding: chunked\nContent-Type: application/json", "2\r\n{}\r\n0\r\n\r\n"]],
    ["GET", "GET", () => ["Accept: */*", ""]],
    ["HEAD", "HEAD", () => ["Accept: */*", ""]],
    ["PUT", "PUT", () => json("{}")],
    ["OPTIONS", "OPTIONS", () => ["Origin: http://localhost", ""]],
    ["an unknown method", "PROPFIND", () => ["Accept: */*", ""]],
    ["another site's form", "POST", () => ["Origin: http://evil.example\nCookie: service_session=x", ...json("{}")]],
  ])("gives the same response to %s", async (_what, method, make) => {
    const parts = make();
    const body = parts.pop() ?? "";
    const ask = (path: string) => exchangeRaw(service.port, [`${method} ${path} HTTP/1.1`, ...parts].join("\n"), body);
    // Only the path without a query bypasses Next.
    const [direct, throughNext] = [await ask(RENDER), await ask(`${RENDER}?`)];
    expect(plain(direct)).toEqual(plain(throughNext));
  });
});

describe("a body over the limit", () => {
  it("gets its answer even when the client sends everything before it reads", async () => {
    for (let round = 0; round < 5; round++) {
      expect(await fetchedCode(await post(Buffer.alloc(RENDER_BODY_LIMIT_BYTES + 1, " ")))).toBe("payload_too_large");
    }
    expect(await fetchedCode(await post(new Blob([Buffer.alloc(RENDER_BODY_LIMIT_BYTES + 1, " ")]).stream()))).toBe(
      "payload_too_large",
    );
    await expectRender();
  });

  it("is refused before any of it is sent", async () => {
    const head = `POST ${RENDER} HTTP/1.1\nContent-Type: application/json\nContent-Length: ${RENDER_BODY_LIMIT_BYTES + 1}`;
    const startedAt = performance.now();
    const connection = new RawConnection(service.port);
    connection.send(`${head.replaceAll("\n", "\r\n")}\r\nHost: x\r\n\r\n`);
    await once(connection.socket, "end");
    expect(codeOf(parseAnswer(connection.text))).toBe("payload_too_large");
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    connection.socket.destroy();
  });

  it("is not read to its end when it has none", async () => {
    const connection = new RawConnection(service.port);
    connection.send(
      `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, " "), Buffer.from("\r\n")]);
    let sent = 0;
    // Reads between two chunks, as clients do: while the server reads as fast as this writes, one loop would write all that it discards.
    const pump = () => {
      if (connection.socket.destroyed) return;
      sent += chunk.length;
      if (connection.socket.write(chunk)) setImmediate(pump);
      else connection.socket.once("drain", pump);
    };
    pump();
    expect(codeOf(await connection.answer())).toBe("payload_too_large");
    // The socket buffers of both ends hold a few megabytes more.
    expect(sent).toBeLessThan(RENDER_BODY_LIMIT_BYTES + LINGER_BYTES + 20_000_000);
    await expectRender();
  });
});

describe("a body that waits for 100 Continue", () => {
  const expecting = async (headers: string[]) => {
    const connection = new RawConnection(service.port);
    const head = [`POST ${RENDER} HTTP/1.1`, "Host: x", "Expect: 100-continue", ...headers, "", ""];
    connection.send(head.join("\r\n"));
    await once(connection.socket, "data");
    return connection;
  };

  it("is asked for when it is read", async () => {
    const body = JSON.stringify({ template: template.slug });
    const connection = await expecting([
      `Content-Length: ${body.length}`,
      "Content-Type: application/json",
      "Connection: close",
    ]);
    expect(connection.text).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send(body);
    await connection.closed;
    expect(connection.text.split("\r\n\r\n")[1]).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([
    [
      "too large",
      "payload_too_large",
      [`Content-Length: ${RENDER_BODY_LIMIT_BYTES + 1}`, "Content-Type: application/json"],
    ],
    ["of another type", "unsupported_media_type", ["Content-Length: 10", "Content-Type: text/plain"]],
    [
      "encoded",
      "unsupported_media_type",
      ["Content-Length: 10", "Content-Type: application/json", "Content-Encoding: br"],
    ],
  ])("is not asked for when it is %s", async (_name, code, headers) => {
    const connection = await expecting(headers);
    connection.socket.end();
    expect(codeOf(await connection.answer())).toBe(code);
  });
});

/** The bytes of bodies that the service keeps. */
async function heldBytes(): Promise<number> {
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  return Number(/^platen_body_bytes (\d+)$/m.exec(metrics)?.[1]);
}

describe("large bodies that arrive together and never end", () => {
  it("are refused with 503 beyond the budget, and leave room for small ones", async () => {
    const head = `POST ${RENDER} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: `;
    const part = Buffer.alloc(RENDER_BODY_LIMIT_BYTES - 1, " ");
    const fitting = Math.floor((bodyBudgetBytes() * (1 - BODY_BUDGET_RESERVE_SHARE)) / part.length);
    const connections = Array.from({ length: fitting + 2 }, () =>
      new RawConnection(service.port).send(`${head}${RENDER_BODY_LIMIT_BYTES}\r\n\r\n`).send(part),
    );
    try {
      const refused = () => connections.filter(({ text }) => text !== "");
      await expect.poll(() => refused().length).toBe(2);
      // Another body would take the room of those that are still arriving.
      await expect.poll(heldBytes).toBe(fitting * part.length);
      for (const connection of refused()) {
        const answer = await connection.answer();
        expect(codeOf(answer)).toBe("overloaded");
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(answer.headers.get("connection")).toBe("close");
      }
      expect(await fetchedCode(await post(part))).toBe("overloaded");
      await expectRender();
    } finally {
      for (const { socket } of connections) socket.destroy();
    }
    await expect.poll(async () => fetchedCode(await post(part))).toBe("invalid_json");
  });
});
